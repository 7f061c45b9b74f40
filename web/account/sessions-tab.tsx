import { Badge, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { WireSession } from '../../src/http/shapes/account.ts'
import { useApi } from '../api/app-state.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { Time } from '../ui/format/time.tsx'
import { describeDevice } from './describe-device.ts'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { useRefreshAccount, useSessions } from './queries.ts'

const COLUMNS: [Column<WireSession>, ...Column<WireSession>[]] = [
  { header: 'Device', cell: (session) => <Device session={session} /> },
  { header: 'Address', cell: ({ ip }) => ip },
  { header: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} show="minute" /> },
  { header: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} show="distance" /> },
]

type SessionToEnd = WireSession | 'others' | null

export function SessionsTab() {
  const query = useSessions()
  const [victim, setVictim] = useState<SessionToEnd>(null)
  const hasOthers = query.data?.sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Sessions"
        about="Where you are signed in. End what you do not recognise."
      >
        {hasOthers && (
          <Button variant="default" onClick={() => setVictim('others')}>
            End all others
          </Button>
        )}
      </SectionHeader>
      <QueryView query={query} what="your sessions">
        {({ sessions }) => (
          <DataTable
            caption="Your sessions"
            rows={sessions}
            columns={COLUMNS}
            menuOf={({ id, userAgent }) => ({ id, name: describeDevice(userAgent) })}
            renderActions={(session) =>
              !session.isCurrent && (
                <RowButton
                  label="End"
                  name={`End session of ${describeDevice(session.userAgent)} at ${session.ip}`}
                  onClick={() => setVictim(session)}
                />
              )
            }
          />
        )}
      </QueryView>
      {victim && <EndSessionDialog victim={victim} onClose={() => setVictim(null)} />}
    </Stack>
  )
}

function Device({ session }: { session: WireSession }) {
  return (
    <Group gap="xs">
      <span title={session.userAgent}>{describeDevice(session.userAgent)}</span>
      {session.isCurrent && <Badge variant="outline">This device</Badge>}
    </Group>
  )
}

function EndSessionDialog({
  victim,
  onClose,
}: {
  victim: WireSession | 'others'
  onClose: () => void
}) {
  const api = useApi()
  const refresh = useRefreshAccount('sessions')
  const isOthers = victim === 'others'
  return (
    <ConfirmDialog
      title={isOthers ? 'End all other sessions?' : 'End this session?'}
      confirmLabel={isOthers ? 'End other sessions' : 'End session'}
      onClose={onClose}
      onConfirm={async () => {
        await api.delete(
          isOthers ? '/web/sessions' : `/web/sessions/${encodeURIComponent(victim.id)}`,
        )
        await refresh()
      }}
    >
      {isOthers
        ? 'You stay signed in here; every other browser has to sign in again.'
        : `${describeDevice(victim.userAgent)} at ${victim.ip} has to sign in again.`}
    </ConfirmDialog>
  )
}
