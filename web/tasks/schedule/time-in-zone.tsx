import { formatLocalTimeWithoutOffset } from '../../../src/lib/time/zone-offsets.ts'
import { formatUtc } from '../../ui/format/time.tsx'

const localFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A time in the given zone, by the service's zone data. The browser's data may be older or newer. */
export function TimeInZone({ at, zone }: { at: Date; zone: string }) {
  const iso = at.toISOString()
  const local = new Date(`${formatLocalTimeWithoutOffset(at, zone)}Z`)
  return (
    <time dateTime={iso} title={formatUtc(iso)}>
      {localFormat.format(local)}
    </time>
  )
}
