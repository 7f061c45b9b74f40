import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireMeetingDetail } from '../../src/http/shapes/meetings.ts'
import { StatusBadge } from '../meetings/status-badge.tsx'
import { clock, counted, PLATFORMS, STATUSES } from '../meetings/words.ts'
import { TextLink } from '../ui/links.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Time, useSeconds } from '../ui/time.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { ExportMenu } from './export-menu.tsx'
import { StopDialog } from './stop-dialog.tsx'

/** What it is, how it stands, and what can be done with it. */
export function MeetingHead({ meeting }: { meeting: WireMeetingDetail }) {
  const [isAsking, setAsking] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const canStop = STATUSES[meeting.status].isActive && meeting.status !== 'stopping'
  useKeys({
    s: () => canStop && setAsking(true),
    e: () => setExporting(true),
  })
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={4} flex="1 1 240px" miw={0}>
        <TextLink to="/meetings" size="sm">
          ← Meetings
        </TextLink>
        <div className="break-anywhere">
          <PageTitle>{meeting.title}</PageTitle>
        </div>
        <Group gap="sm">
          <StatusBadge status={meeting.status} />
          <Elapsed meeting={meeting} />
          <Text size="sm" c="dimmed" className="break-anywhere">
            {PLATFORMS[meeting.platform]} · project {meeting.project} ·{' '}
            {counted(meeting.participantCount, 'person', 'people')} ·{' '}
            <Time at={meeting.startedAt} show="minute" />
          </Text>
        </Group>
      </Stack>
      <Group gap="xs">
        {canStop && (
          <Button variant="default" size="sm" onClick={() => setAsking(true)}>
            Stop
          </Button>
        )}
        <ExportMenu meeting={meeting} isOpen={isExporting} onChange={setExporting} />
      </Group>
      {isAsking && <StopDialog meeting={meeting} onClose={() => setAsking(false)} />}
    </Group>
  )
}

function Elapsed({ meeting }: { meeting: WireMeetingDetail }) {
  const now = useSeconds()
  const { startedAt, liveAt, endedAt } = meeting
  const from = Date.parse(liveAt ?? startedAt)
  const until = endedAt === null ? now : Date.parse(endedAt)
  return (
    <Text span size="sm" className="figures one-line">
      {clock((until - from) / 1000)}
    </Text>
  )
}
