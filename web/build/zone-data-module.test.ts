import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }
import { parseZoneHistory, type ZoneHistory } from '../../src/lib/time/zone-data.ts'
import { createZoneDataModule, type PackedZoneData } from './zone-data-module.ts'

const FROM = Date.UTC(2020, 0, 1)

/** The part of a history from 2020 on. */
function describeSince2020({ changes, offsets }: ZoneHistory) {
  const first = changes.findIndex((change) => change >= FROM)
  const start = first === -1 ? changes.length : first
  return { changes: changes.slice(start), offsets: offsets.slice(start) }
}

test('the time zones of the console equal those of the service from 2020 on, in a fifth of the size', async () => {
  const code = createZoneDataModule(packed)
  const url = `data:text/javascript,${encodeURIComponent(code)}`
  const { default: small } = (await import(url)) as { default: PackedZoneData }
  assert.equal(small.version, packed.version)
  assert.deepEqual(small.links, packed.links)
  assert.equal(small.zones.length, packed.zones.length)
  for (const [i, zone] of packed.zones.entries()) {
    const expected = describeSince2020(parseZoneHistory(zone))
    assert.deepEqual(parseZoneHistory(small.zones[i] ?? ''), expected, zone.slice(0, 30))
  }
  assert.ok(code.length < JSON.stringify(packed).length / 5, `${code.length} characters`)
})
