import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { localHttpUrl } from './local-url.ts'

test('the local URL of any listening host can be opened on this machine', () => {
  const cases = {
    '127.0.0.1': 'http://127.0.0.1:80',
    'ex.example': 'http://ex.example:80',
    '0.0.0.0': 'http://localhost:80',
    '::': 'http://localhost:80',
    '::1': 'http://[::1]:80',
  }
  for (const [host, address] of Object.entries(cases)) {
    assert.equal(localHttpUrl(host, 80), address)
    assert.ok(URL.canParse(address))
  }
})
