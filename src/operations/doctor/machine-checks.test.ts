import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ZONE_DATA_VERSION } from '../../lib/time/zone-data.ts'
import { checkBundledZoneDataVersion } from './machine-checks.ts'

test('the check names the release of the time zone data and fails when Node has a newer one', () => {
  assert.equal(
    checkBundledZoneDataVersion('2020a'),
    `IANA release ${ZONE_DATA_VERSION} (Node itself has 2020a)`,
  )
  assert.throws(
    () => checkBundledZoneDataVersion('2999a'),
    /release 20\d\d[a-z], and Node already has 2999a/,
  )
})
