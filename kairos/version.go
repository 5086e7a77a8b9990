package kairos

// LanguageVersion is the version of the language that this package implements: that of its public reference
// implementation at the commit whose behaviour the package was measured against.
const LanguageVersion = "0.0.1"
