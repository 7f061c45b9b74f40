import { OperatorError } from '../../errors.ts'
import { ZONE_DATA_VERSION } from '../../lib/time/zone-data.ts'

/** Names the release of the time zone data. Fails when Node has a newer one, because schedules would then run by old rules. */
export function checkBundledZoneDataVersion(
  nodeZoneDataVersion = process.versions['tz'] ?? '',
): string {
  if (nodeZoneDataVersion > ZONE_DATA_VERSION)
    throw new OperatorError(
      `the time zone data is of release ${ZONE_DATA_VERSION}, and Node already has ${nodeZoneDataVersion}`,
    )
  return `IANA release ${ZONE_DATA_VERSION} (Node itself has ${nodeZoneDataVersion})`
}
