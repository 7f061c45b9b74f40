import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toCsvLine } from './csv.ts'

test('cells with separators are quoted, and a cell that looks like a formula becomes text', () => {
  assert.equal(
    toCsvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', '']),
    'plain,"a,b","say ""hi""","two\nlines",\r\n',
  )
  assert.equal(toCsvLine(['=1+1', '@x', '-2', '+3']), "'=1+1,'@x,'-2,'+3\r\n")
})
