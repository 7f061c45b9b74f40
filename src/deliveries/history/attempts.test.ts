import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { withoutSecrets } from './attempts.ts'

test('a request without secrets has no signature, and only the host of its URL', () => {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'x',
    'webhook-signature': 'v1,abc',
    'x-service-signature': 'sha256=abc',
  }
  const sent = { url: 'https://me:pass@example.com:8443/hook?key=s3cret#part', headers, body: '{}' }
  assert.deepEqual(withoutSecrets(sent), {
    url: 'https://example.com:8443/…',
    headers: { 'content-type': 'application/json', 'webhook-id': 'x' },
    body: '{}',
  })
  const toListener = { ...sent, url: 'listen:laptop' }
  assert.equal(withoutSecrets(toListener).url, 'listen:laptop')
})
