import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useNow, ZoneTime } from '../ui/time.tsx'
import { previewOf, READERS_ZONE, type Preview } from './schedule.ts'

/** When a schedule runs: in words, the next five times in both zones, and what clock changes do to it. */
export function SchedulePreview({ expression, zone }: { expression: string; zone: string }) {
  const now = useNow()
  const preview = useMemo(() => previewOf(expression, zone, new Date(now)), [expression, zone, now])
  if (preview === null) return null
  const { words, runs, touched } = preview
  const isShown = runs.some(({ at }) => at.getTime() === touched?.at.getTime())
  return (
    <Stack gap="xs">
      <Text fw={600}>{words}</Text>
      <NextRuns runs={runs} zone={zone} />
      {touched && (
        <div className="why-box" role="note">
          <Text size="sm">
            {isShown ? 'Clock change' : 'A later clock change'} on{' '}
            <ZoneTime at={touched.at} zone={zone} />. {touched.note}.
          </Text>
        </div>
      )}
    </Stack>
  )
}

function NextRuns({ runs, zone }: { runs: Preview['runs']; zone: string }) {
  const isOwnZone = zone === READERS_ZONE
  return (
    <table className="next-runs">
      <caption>Next five runs</caption>
      <thead>
        <tr>
          <th scope="col">{isOwnZone ? `${zone}, also yours` : zone}</th>
          {!isOwnZone && <th scope="col">Yours ({READERS_ZONE})</th>}
        </tr>
      </thead>
      <tbody>
        {runs.map(({ at, note }) => (
          <tr key={at.getTime()}>
            <td>
              <ZoneTime at={at} zone={zone} />
              {note !== null && ' (clock change)'}
            </td>
            {!isOwnZone && (
              <td>
                <ZoneTime at={at} zone={READERS_ZONE} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
