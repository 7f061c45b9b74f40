import { Badge, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { WireSession } from '../../src/http/shapes/account.ts'
import { useApi } from '../app-state.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { RowButton } from '../ui/row-button.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { Time } from '../ui/time.tsx'
import { describeDevice } from './describe-device.ts'
import { Loaded } from '../ui/loaded.tsx'
import { useRefresh, useSessions } from './queries.ts'

const COLUMNS: [Column<WireSession>, ...Column<WireSession>[]] = [
  { head: 'Device', cell: (session) => <Device session={session} /> },
  { head: 'Address', cell: ({ ip }) => ip },
  { head: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} show="minute" /> },
  { head: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} show="distance" /> },
]

type Victim = WireSession | 'others' | null

export function SessionsTab() {
  const query = useSessions()
  const [victim, setVictim] = useState<Victim>(null)
  const hasOthers = query.data?.sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <Stack gap="lg">
      <SectionHead title="Sessions" about="Where you are signed in. End what you do not recognise.">
        {hasOthers && (
          <Button variant="default" onClick={() => setVictim('others')}>
            End all others
          </Button>
        )}
      </SectionHead>
      <Loaded query={query} what="your sessions">
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
      </Loaded>
      {victim && <EndDialog victim={victim} onClose={() => setVictim(null)} />}
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

function EndDialog({ victim, onClose }: { victim: WireSession | 'others'; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh('sessions')
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
