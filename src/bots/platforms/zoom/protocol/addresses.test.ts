import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { checkStreamAddress } from './addresses.ts'

const refuseLookup = () => () => {
  throw new Error('no lookups')
}

test('only wss addresses of zoom.us on the usual port are allowed, and the network rules decide about them', () => {
  const asked: string[] = []
  const rules = {
    checkUrl(url: string) {
      asked.push(url)
      return url.includes('blocked') ? 'is blocked' : null
    },
    guardedLookup: refuseLookup,
  }
  const isAllowed = (address: string) => 'url' in checkStreamAddress(address, rules)
  for (const address of [
    'wss://zoomsjc144-195-31-251zssgw.sjc.zoom.us:443',
    'wss://a.zoom.us/path?x=1',
    'wss://a.zoom.us,wss://b.zoom.us',
  ])
    assert.ok(isAllowed(address), address)
  assert.equal(asked[1], 'https://a.zoom.us/path?x=1')
  for (const address of [
    '',
    'zoom.us',
    'ws://a.zoom.us',
    'https://a.zoom.us',
    'wss://a.zoom.us:8443',
    'wss://user:word@a.zoom.us',
    'wss://zoom.us.example.com',
    'wss://evilzoom.us',
    'wss://127.0.0.1',
    'wss://[::1]:443',
    'wss://a.zoom.us@example.com',
    'wss://blocked.zoom.us',
  ])
    assert.ok(!isAllowed(address), address)
})
