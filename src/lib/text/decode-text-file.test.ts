import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { decodeTextFile } from './decode-text-file.ts'

const TEXT = 'Ada: Grüße aus 東京\n'
const LATIN = 'Ada: Guten Morgen, alle zusammen\n'

function swapBytes(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16()
}

test('a byte order mark decides the encoding', () => {
  assert.equal(decodeTextFile(Buffer.from(`\ufeff${TEXT}`)), TEXT)
  assert.equal(decodeTextFile(Buffer.from(`\ufeff${TEXT}`, 'utf16le')), TEXT)
  assert.equal(decodeTextFile(swapBytes(Buffer.from(`\ufeff${TEXT}`, 'utf16le'))), TEXT)
})

test('without a mark a file is UTF-8, UTF-16 or Windows-1252', () => {
  assert.equal(decodeTextFile(Buffer.from(TEXT)), TEXT)
  assert.equal(decodeTextFile(Buffer.from(LATIN, 'utf16le')), LATIN)
  assert.equal(decodeTextFile(swapBytes(Buffer.from(LATIN, 'utf16le'))), LATIN)
  assert.equal(decodeTextFile(Buffer.from('Ada: Gr\xfc\xdfe', 'latin1')), 'Ada: Grüße')
})

test('one wrong byte does not change the encoding of the rest', () => {
  const bytes = Buffer.concat([
    Buffer.from(TEXT),
    Buffer.from([0xe6, 0x9d]),
    Buffer.from('\nBen: ja'),
  ])
  assert.equal(decodeTextFile(bytes), `${TEXT}\ufffd\nBen: ja`)
})

test('bytes that are no text are not decoded', () => {
  assert.equal(
    decodeTextFile(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff])),
    null,
  )
  assert.equal(decodeTextFile(Buffer.from([0xff, 0xfe, 0x00])), null)
  assert.equal(decodeTextFile(Buffer.alloc(0)), '')
})
