import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { formatLocalTimeWithoutOffset } from '../../../src/lib/time/zone-offsets.ts'
import { type ScheduleForecast, forecastIfValidSchedule } from './describe-schedule.ts'
import { BROWSER_TIME_ZONE } from '../../ui/format/format-text.ts'
import { useNowEvery30Seconds, formatUtc } from '../../ui/format/time.tsx'
import { Notice } from '../../ui/text.tsx'

/** Describes a schedule in words, with its next five runs in both time zones and the next clock change. */
export function ValidSchedulePreview({ expression, zone }: { expression: string; zone: string }) {
  const now = useNowEvery30Seconds()
  const preview = useMemo(
    () => forecastIfValidSchedule(expression, zone, new Date(now)),
    [expression, zone, now],
  )
  if (preview === null) return null
  const { description, runs, nextClockChange } = preview
  const isShown = runs.some(({ at }) => at.getTime() === nextClockChange?.at.getTime())
  return (
    <Stack gap="xs">
      <Text fw={600}>{description}</Text>
      <NextRunsTable runs={runs} zone={zone} />
      {nextClockChange && (
        <Notice>
          {isShown ? 'Clock change' : 'A later clock change'} on{' '}
          <TimeInZone at={nextClockChange.at} zone={zone} />. {nextClockChange.note}.
        </Notice>
      )}
    </Stack>
  )
}

function NextRunsTable({ runs, zone }: { runs: ScheduleForecast['runs']; zone: string }) {
  const isOwnZone = zone === BROWSER_TIME_ZONE
  return (
    <table className="next-runs">
      <caption>Next five runs</caption>
      <thead>
        <tr>
          <th scope="col">{isOwnZone ? `${zone} (your time zone)` : zone}</th>
          {!isOwnZone && <th scope="col">Your time zone ({BROWSER_TIME_ZONE})</th>}
        </tr>
      </thead>
      <tbody>
        {runs.map(({ at, note }) => (
          <tr key={at.getTime()}>
            <td>
              <TimeInZone at={at} zone={zone} />
              {note !== null && ' (clock change)'}
            </td>
            {!isOwnZone && (
              <td>
                <TimeInZone at={at} zone={BROWSER_TIME_ZONE} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

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
function TimeInZone({ at, zone }: { at: Date; zone: string }) {
  const iso = at.toISOString()
  const local = new Date(`${formatLocalTimeWithoutOffset(at, zone)}Z`)
  return (
    <time dateTime={iso} title={formatUtc(iso)}>
      {localFormat.format(local)}
    </time>
  )
}
