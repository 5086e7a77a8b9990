package harbor

import (
	"archive/zip"
	"bytes"
	"io"
	"strconv"
	"strings"
)

// magics are how archives and compressed files begin.
var magics = []struct{ begins, kind string }{
	{"PK\x03\x04", "zip"}, {"PK\x05\x06", "zip"}, {"PK\x07\x08", "zip"},
	{"\x1f\x8b", "gzip"}, {"\x1f\x9d", "compress"}, {"\x1f\xa0", "compress"},
	{"\xfd7zXZ\x00", "xz"}, {"7z\xbc\xaf\x27\x1c", "7z"}, {"\x28\xb5\x2f\xfd", "zstd"},
	{"Rar!\x1a\x07", "rar"}, {"\x04\x22\x4d\x18", "lz4"}, {"\x02\x21\x4c\x18", "lz4"}, {"LZIP\x01", "lzip"}, {"MSCF\x00\x00\x00\x00", "cab"},
	{"\x89LZO\x00\r\n\x1a\n", "lzop"}, {"!<arch>\n", "ar"}, {"\x60\xea", "arj"}, {"070701", "cpio"}, {"070707", "cpio"}, {"xar!\x00\x1c", "xar"},
}

// archiveKind goes by what a file holds, since names lie; "" is no archive. Office documents are zip files by nature, and are
// let through where all that they hold is a document's.
func archiveKind(b []byte) string {
	kind := magicOf(b)
	if (kind == "" || kind == "zip") && bytes.Contains(b[max(0, len(b)-(1<<16)-22):], []byte("PK\x05\x06")) || kind == "zip" {
		z, err := zip.NewReader(bytes.NewReader(b), int64(len(b))) // finds one behind other bytes as well
		switch {
		case z == nil || err != nil && len(z.File) == 0:
		case bytes.HasPrefix(b, []byte("PK\x03\x04")) && office(z):
			return ""
		default:
			return "zip"
		}
	}
	if kind != "" {
		return kind
	}
	for i := 0; i+512 <= len(b); i += 512 {
		if tarHeader(b[i : i+512]) {
			return "tar"
		}
	}
	return ""
}

func magicOf(b []byte) string {
	for _, m := range magics {
		if strings.HasPrefix(string(b[:min(len(b), 16)]), m.begins) {
			return m.kind
		}
	}
	switch {
	case bytes.HasPrefix(b, []byte("BZh")) && len(b) > 10 && bytes.HasPrefix(b[4:], []byte{0x31, 0x41, 0x59, 0x26}):
		return "bzip2"
	case len(b) > 13 && b[0] == 0x5d && b[1] == 0 && b[2] == 0 && (bytes.Equal(b[5:13], bytes.Repeat([]byte{0xff}, 8)) || b[11] == 0 && b[12] == 0):
		return "lzma"
	}
	return ""
}

// tarHeader says whether a block is the head of a file in a tar, by the sum of its bytes: old ones have no mark.
func tarHeader(b []byte) bool {
	if b[0] == 0 {
		return false
	}
	field := strings.Trim(string(b[148:156]), " \x00")
	want, err := strconv.ParseUint(field, 8, 32)
	if err != nil {
		return false
	}
	sum := uint64(8 * ' ') // the field itself counts as spaces
	for i, c := range b {
		if i < 148 || i >= 156 {
			sum += uint64(c)
		}
	}
	return sum == want
}

// officeParts are the folders and files of documents of the two families.
var (
	openXML      = []string{"[Content_Types].xml", "_rels/", "docProps/", "customXml/", "word/", "xl/", "ppt/", "visio/"}
	openDocument = []string{"mimetype", "META-INF/", "content.xml", "styles.xml", "meta.xml", "settings.xml", "manifest.rdf", "layout-cache", "Thumbnails/", "Pictures/", "Configurations2/", "Object ", "ObjectReplacements/"}
)

// office says whether a zip is a document and nothing else: every name is one that such documents have, and no part of it is an
// archive but a document that is embedded.
func office(z *zip.Reader) bool {
	has := map[string]bool{}
	for _, f := range z.File {
		has[f.Name] = true
	}
	parts := openXML
	switch {
	case has["[Content_Types].xml"]:
	case len(z.File) > 0 && z.File[0].Name == "mimetype" && z.File[0].Method == zip.Store && strings.HasPrefix(head(z.File[0]), "application/vnd.oasis.opendocument."):
		parts = openDocument
	default:
		return false
	}
	for _, f := range z.File {
		known := false
		for _, p := range parts {
			known = known || f.Name == p || (strings.HasSuffix(p, "/") || strings.HasSuffix(p, " ")) && strings.HasPrefix(f.Name, p)
		}
		if !known {
			return false
		}
		if kind := magicOf([]byte(head(f))); kind != "" && (kind != "zip" || !strings.Contains(f.Name, "/embeddings/")) {
			return false
		}
	}
	return true
}

// head is how a part begins.
func head(f *zip.File) string {
	r, err := f.Open()
	if err != nil {
		return ""
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, 64))
	if err != nil {
		return ""
	}
	return string(b)
}
