import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { extractCode, readStoredCode, storeCode } from './stored-code.ts'

/** A storage in memory that behaves like a browser's sessionStorage. */
function createStorage(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    clear: () => values.clear(),
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}

test('a one-time code is read back only on its own page, until it is deleted', () => {
  const storage = createStorage()
  assert.equal(readStoredCode('/setup', storage), '')
  storeCode('/setup', 'abc', storage)
  assert.equal(readStoredCode('/setup', storage), 'abc')
  assert.equal(readStoredCode('/invite', storage), '')
  storeCode('/setup', '', storage)
  assert.equal(readStoredCode('/setup', storage), '')
  assert.equal(storage.length, 0)
})

test('a pasted link and a pasted code give the same code', () => {
  assert.equal(extractCode(' https://hansard.example/setup#abc \n'), 'abc')
  assert.equal(extractCode('abc'), 'abc')
  assert.equal(extractCode(''), '')
})
