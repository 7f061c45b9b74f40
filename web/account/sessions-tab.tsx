import { Badge, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { ApiSession } from '../../src/http/shapes/account.ts'
import { useApi } from '../api/app-state.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { DataTable, RowButton, type Column } from '../ui/tables/data-table.tsx'
import { SectionHeader } from '../ui/layout/headings.tsx'
import { Time } from '../ui/format/time.tsx'
import { describeDevice } from './describe-device.ts'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { useReloadTokensOrSessions, useSessions } from './queries.ts'

const COLUMNS: [Column<ApiSession>, ...Column<ApiSession>[]] = [
  { header: 'Device', cell: (session) => <Device session={session} /> },
  { header: 'IP address', cell: ({ ip }) => ip },
  { header: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} show="minute" /> },
  { header: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} show="ago" /> },
]

type SessionToEnd = ApiSession | 'others' | null

export function SessionsTab() {
  const query = useSessions()
  const [selected, setSelected] = useState<SessionToEnd>(null)
  const hasOthers = query.data?.sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Sessions"
        description="Devices where you are signed in. Sign out any that you don’t recognise."
      >
        {hasOthers && (
          <Button variant="default" onClick={() => setSelected('others')}>
            Sign out all others
          </Button>
        )}
      </SectionHeader>
      <QueryView query={query} label="your sessions">
        {({ sessions }) => (
          <DataTable
            caption="Your sessions"
            rows={sessions}
            columns={COLUMNS}
            rowMenu={({ id, userAgent }) => ({ id, rowName: describeDevice(userAgent) })}
            renderActions={(session) =>
              !session.isCurrent && (
                <RowButton
                  label="Sign out"
                  ariaLabel={`Sign out ${describeDevice(session.userAgent)} at ${session.ip}`}
                  onClick={() => setSelected(session)}
                />
              )
            }
          />
        )}
      </QueryView>
      {selected && <EndSessionDialog selected={selected} onClose={() => setSelected(null)} />}
    </Stack>
  )
}

function Device({ session }: { session: ApiSession }) {
  return (
    <Group gap="xs">
      <span title={session.userAgent}>{describeDevice(session.userAgent)}</span>
      {session.isCurrent && <Badge variant="outline">This device</Badge>}
    </Group>
  )
}

function EndSessionDialog({
  selected,
  onClose,
}: {
  selected: ApiSession | 'others'
  onClose: () => void
}) {
  const api = useApi()
  const refresh = useReloadTokensOrSessions('sessions')
  const isOthers = selected === 'others'
  return (
    <ConfirmDialog
      title={isOthers ? 'Sign out all other sessions?' : 'Sign out this session?'}
      confirmLabel={isOthers ? 'Sign out others' : 'Sign out session'}
      onClose={onClose}
      onConfirm={async () => {
        await (isOthers ? api.sessions.removeOthers() : api.sessions.remove(selected.id))
        await refresh()
      }}
    >
      {isOthers
        ? 'You stay signed in here. All other browsers will have to sign in again.'
        : `${describeDevice(selected.userAgent)} at ${selected.ip} will have to sign in again.`}
    </ConfirmDialog>
  )
}
