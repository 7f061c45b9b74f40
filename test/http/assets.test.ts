import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'
import { sendRequest } from '../support/http/raw-requests.ts'

const openedService = openForFile(async () => {
  const service = await startService()
  const { text } = await sendRequest(service.url, { path: '/' })
  const assets = [...text.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  return { ...service, assets, asset: assets[0] ?? '' }
})

test('the first page of the console needs few scripts', () => {
  const { assets } = openedService()
  assert.ok(assets.length > 0 && assets.length <= 4, assets.join(' '))
})

test('an asset of the console is cacheable', async () => {
  const service = openedService()
  const { status, headers } = await sendRequest(service.url, { path: service.asset })
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /javascript/)
  assert.match(headers.get('cache-control') ?? '', /immutable/)
  const etag = headers.get('etag') ?? ''
  const again = { path: service.asset, headers: { 'if-none-match': etag } }
  assert.equal((await sendRequest(service.url, again)).status, 304)
})

test('a range beyond the end of an asset gets 416', async () => {
  const service = openedService()
  const headers = { range: 'bytes=999999999-' }
  const answer = await sendRequest(service.url, { path: service.asset, headers })
  assert.equal(answer.status, 416)
  assert.equal(typeof answer.body.error, 'string')
})

test('a failed precondition on an asset gets 412', async () => {
  const service = openedService()
  const cases = [
    { 'if-match': '"other"' },
    { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  ]
  for (const headers of cases) {
    const answer = await sendRequest(service.url, { path: service.asset, headers })
    assert.equal(answer.status, 412, JSON.stringify(headers))
    assert.equal(typeof answer.body.error, 'string')
  }
})

test('a path that leads out of the assets folder is rejected', async () => {
  const service = openedService()
  const paths = ['..%2f..%2fpackage.json', '%2e%2e/index.html', '../index.html', '..%5cindex.html']
  for (const path of [...paths, 'a/../../index.html', '..', '.', '%00', 'index%00.js']) {
    const { status, body } = await sendRequest(service.url, { path: `/assets/${path}` })
    assert.ok([400, 403, 404].includes(status), `${path}: ${status}`)
    assert.equal(typeof body.error, 'string', path)
  }
})
