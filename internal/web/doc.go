// Package web is the viewer: it shows runs, benches and reports as web pages, out of a store that it only reads. Pages are
// made here by templates, whole before a script touches them; the one script that there is keeps the page of a run up to date.
//
// Whatever a model answered or a bench's author wrote is text. It reaches a page through html/template alone, with what cannot
// be seen written out (see visible), and the pages' policy lets nothing run or load but the two files that are shipped inside.
package web
