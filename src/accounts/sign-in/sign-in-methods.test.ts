import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findPasskeyHost } from './sign-in-methods.ts'

test('passkeys belong to the host of the public URL, which is no IP address and has TLS or is localhost', () => {
  assert.deepEqual(findPasskeyHost('https://hansard.example.com'), {
    rpId: 'hansard.example.com',
    origin: 'https://hansard.example.com',
  })
  assert.deepEqual(findPasskeyHost('http://localhost:8080'), {
    rpId: 'localhost',
    origin: 'http://localhost:8080',
  })
  const without = [
    'http://127.0.0.1:8080',
    'https://10.0.0.1',
    'https://[::1]:8443',
    'http://a.example',
  ]
  for (const url of without) assert.equal(findPasskeyHost(url), null, url)
})
