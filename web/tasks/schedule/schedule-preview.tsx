import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useNowEvery30Seconds } from '../../ui/format/time.tsx'
import { TimeInZone } from './time-in-zone.tsx'
import { BROWSER_TIME_ZONE } from '../../ui/format/browser-time-zone.ts'
import { forecastIfValidSchedule, type ScheduleForecast } from './describe-schedule.ts'

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
        <div className="notice" role="note">
          <Text size="sm">
            {isShown ? 'Clock change' : 'A later clock change'} on{' '}
            <TimeInZone at={nextClockChange.at} zone={zone} />. {nextClockChange.note}.
          </Text>
        </div>
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
