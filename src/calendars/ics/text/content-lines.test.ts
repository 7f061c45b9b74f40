import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseContentLine, splitLines, unfold } from './content-lines.ts'

function unfoldText(text: string | Uint8Array): string {
  return Buffer.from(unfold(Buffer.from(text))).toString()
}

test('folded lines of a feed are joined, also with bare line feeds and tabs', () => {
  assert.equal(unfoldText('SUMMARY:Plan\r\n ning\r\nEND:X'), 'SUMMARY:Planning\r\nEND:X')
  assert.equal(unfoldText('SUMMARY:Plan\n\tning\n  today\nEND:X'), 'SUMMARY:Planning today\nEND:X')
  assert.equal(unfoldText('A:1\r\n \r\n \r\nB:2\r\n '), 'A:1\r\nB:2')
  assert.equal(unfoldText('SUMMARY\n\n :Plan\r\r\n ning\n\nEND:X'), 'SUMMARY:Planning\n\nEND:X')
  assert.equal(unfoldText(''), '')
})

test('a line that is folded inside a character keeps the character', () => {
  const bytes = Buffer.from('SUMMARY:Zürich')
  const middle = bytes.indexOf(0xc3) + 1
  const folded = Buffer.concat([
    bytes.subarray(0, middle),
    Buffer.from('\r\n '),
    bytes.subarray(middle),
  ])
  assert.equal(unfoldText(folded), 'SUMMARY:Zürich')
})

test('lines end with a line feed, and empty ones are skipped', () => {
  assert.deepEqual([...splitLines('A:1\r\n\r\nB:2\n \nC:3')], ['A:1', 'B:2', 'C:3'])
})

test('a quoted parameter may contain colons and semicolons', () => {
  const line = parseContentLine(
    'attendee;CN="Ben; Team: Search, 2";partstat=ACCEPTED:mailto:a@b.example',
  )
  assert.equal(line?.name, 'ATTENDEE')
  assert.equal(line.value, 'mailto:a@b.example')
  assert.deepEqual(
    [...line.parameters],
    [
      ['CN', 'Ben; Team: Search, 2'],
      ['PARTSTAT', 'ACCEPTED'],
    ],
  )
})

test('text that is not a content line is rejected', () => {
  const lines = ['just text', ':value', 'NAME', 'NAME;X:value', 'NAME;X="open:value', 'ä:1', ' A:1']
  for (const line of lines) assert.equal(parseContentLine(line), null, line)
})
