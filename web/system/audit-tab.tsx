import { Stack, Group, Text, Button, TextInput, Box } from '@mantine/core'
import { useState } from 'react'
import type { AuditListQuery } from '../../client/index.js'
import type { ApiAuditEntry } from '../../src/http/shapes/audit.ts'
import { type AuditAction, AUDIT_ACTIONS } from '../../src/http/shapes/values.ts'
import { useApiTokens } from '../account/queries.ts'
import { usePeople } from './queries.ts'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { Time, dayToInstant } from '../ui/format/time.tsx'
import { useDebouncedUrlField } from '../ui/forms.tsx'
import { FilterRow, SectionHeader } from '../ui/layout.tsx'
import { type Column, DataTable, LoadMoreButton } from '../ui/tables/data-table.tsx'
import { Hint } from '../ui/text.tsx'
import { useApiPages } from '../api/use-api.tsx'
import { FilterSelect, toOptions } from '../ui/fields.tsx'

const COLUMNS: [Column<ApiAuditEntry>, ...Column<ApiAuditEntry>[]] = [
  { header: 'When', cell: ({ at }) => <Time at={at} show="minute" /> },
  {
    header: 'Who',
    cell: ({ actor, actorName, actorEmail }) => (
      <Name name={actorName} email={actorEmail} id={actor} />
    ),
  },
  { header: 'Action', cell: ({ action }) => auditActionLabel(action) },
  { header: 'What', cell: (entry) => <ChangedObject entry={entry} /> },
  { header: 'IP address', cell: ({ ip }) => ip ?? '–', isShort: true, priority: 'low' },
]

/** What people and programs did, for administrators. */
export function AuditTab() {
  const [filter, setFilter] = useState<AuditFilter>({})
  const query = useAudit(filter)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Audit log"
        description="Sign-ins and changes to people, API tokens, project access, share links, bot accounts and backups."
      >
        <Group gap="xs">
          <ExportButton filter={filter} format="csv" label="Export CSV" />
          <ExportButton filter={filter} format="jsonl" label="Export JSON lines" />
        </Group>
      </SectionHeader>
      <AuditFilterFields filter={filter} onChange={setFilter} />
      <QueryView query={query} label="the audit log">
        {({ pages }) => <AuditEntries entries={pages.flatMap(({ entries }) => entries)} />}
      </QueryView>
      <Group>
        <LoadMoreButton query={query}>Show older entries</LoadMoreButton>
      </Group>
    </Stack>
  )
}

function AuditEntries({ entries }: { entries: ApiAuditEntry[] }) {
  if (entries.length === 0) return <Text>No entries match these filters.</Text>
  return <DataTable caption="Audit log" rows={entries} columns={COLUMNS} hasShortNames />
}

interface ExportButtonProps {
  filter: AuditFilter
  format: 'csv' | 'jsonl'
  label: string
}

function ExportButton({ filter, format, label }: ExportButtonProps) {
  return (
    <Button
      component="a"
      href={auditExportPath(filter, format)}
      download={`audit.${format}`}
      variant="default"
    >
      {label}
    </Button>
  )
}

/** A removed user has an email address but no name. */
function Name({ name, email, id }: { name: string | null; email: string | null; id: string }) {
  return (
    <Box title={id}>
      <span className="break-anywhere">{auditActorLabel(id, name ?? email)}</span>
      {email !== null && <Detail>{name === null ? 'removed' : email}</Detail>}
    </Box>
  )
}

function ChangedObject({ entry }: { entry: ApiAuditEntry }) {
  const { object, objectName, objectEmail, detail } = entry
  if (object === null && detail === null) return '–'
  return (
    <Stack gap={0}>
      {object !== null && <Name name={objectName} email={objectEmail} id={object} />}
      {detail !== null && detail !== objectEmail && <Detail>{detail}</Detail>}
    </Stack>
  )
}

function Detail({ children }: { children: string }) {
  return <Hint>{children}</Hint>
}

interface AuditFilterProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

function AuditFilterFields({ filter, onChange }: AuditFilterProps) {
  const { data } = usePeople()
  const set = (part: AuditFilter) => onChange({ ...filter, ...part })
  const people = (data?.users ?? []).map(({ id, name, email }) => ({
    value: `user:${id}`,
    label: `${name} (${email})`,
  }))
  const tokens = (useApiTokens().data?.tokens ?? []).map(({ id, name }) => ({
    value: `token:${id}`,
    label: `${name} (API token)`,
  }))
  const [object, setObject] = useDebouncedUrlField(filter.object ?? '', (id) => set({ object: id }))
  return (
    <FilterRow filter={filter}>
      <FilterSelect
        label="Who"
        value={filter.actor}
        options={[...people, ...tokens, ...OTHER_ACTORS]}
        onChange={(actor) => set({ actor })}
      />
      <FilterSelect
        label="Action"
        value={filter.action}
        options={toOptions(AUDIT_ACTION_LABELS, AUDIT_ACTIONS)}
        onChange={(action) => set({ action })}
      />
      <TextInput
        label="Item ID"
        className="filter-wide"
        value={object}
        onChange={(event) => setObject(event.currentTarget.value)}
      />
      <div className="filter-pair">
        <DayField label="From" onDay={(day) => set({ from: dayToInstant(day, 0) })} />
        <DayField label="To" onDay={(day) => set({ to: dayToInstant(day, 1) })} />
      </div>
    </FilterRow>
  )
}

function DayField({ label, onDay }: { label: string; onDay: (day: string) => void }) {
  return (
    <TextInput type="date" label={label} onChange={(event) => onDay(event.currentTarget.value)} />
  )
}

type AuditFilter = {
  actor?: string | undefined
  action?: string | undefined
  object?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

function useAudit(filter: AuditFilter) {
  return useApiPages(['system', 'audit', filter], (api, cursor) =>
    api.audit.list({ ...filter, cursor: cursor } as AuditListQuery),
  )
}

function auditExportPath(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value)
  return `/web/audit/export?${query}`
}

const AUDIT_ACTION_LABELS: Record<AuditAction, string> = {
  'user created': 'Person added',
  'user removed': 'Person removed',
  'user deactivated': 'Person deactivated',
  'user reactivated': 'Person reactivated',
  'user invited': 'Invitation created',
  'invitation withdrawn': 'Invitation withdrawn',
  'signed in': 'Signed in',
  'sign-in failed': 'Sign-in failed',
  'signed out': 'Signed out',
  'session ended': 'Session ended',
  'sessions ended': 'Other sessions ended',
  'profile changed': 'Profile changed',
  'role changed': 'Role changed',
  'email changed': 'Email changed',
  'password changed': 'Password changed',
  'password reset': 'Password reset by link',
  'reset link created': 'Reset link created',
  'reset link withdrawn': 'Reset link withdrawn',
  'identity linked': 'Provider account linked',
  'identity unlinked': 'Provider account unlinked',
  'identity link failed': 'Provider account not linked',
  'passkey added': 'Passkey added',
  'passkey removed': 'Passkey removed',
  'token created': 'API token created',
  'token revoked': 'API token revoked',
  'assistant connected': 'Assistant connected',
  'assistant token reused': 'Access of an assistant used twice',
  'meetings of token stopped': 'Meetings of an API token stopped',
  'scheduled meetings of token stopped': 'Scheduled meetings of an API token stopped',
  'next secret created': 'Signing secret created',
  'next secret activated': 'Signing secret activated',
  'next secret cancelled': 'Signing secret cancelled',
  'bot account added': 'Bot account added',
  'bot account renewed': 'Bot account renewed',
  'bot account removed': 'Bot account removed',
  'speech installation started': 'Speech installation started',
  'speech recognition removed': 'Speech recognition removed',
  'backup made': 'Backup created',
  'project access changed': 'Project access changed',
  'project member added': 'Project member added or changed',
  'project member removed': 'Project member removed',
  'admin added to project': 'Administrator added themselves to a project',
  'meeting moved': 'Meeting moved',
  'meeting renamed': 'Meeting renamed',
  'speaker renamed': 'Speaker renamed',
  'meeting start changed': 'Meeting start changed',
  'official transcript used': 'Use of an official transcript changed',
  'official transcripts of project changed': 'Official transcripts of a project changed',
  'task taken over': 'Task taken over',
  'prompt created': 'Prompt created',
  'prompt changed': 'Prompt changed',
  'prompt removed': 'Prompt deleted',
  'share link created': 'Share link created',
  'share link revoked': 'Share link revoked',
  'share links ended': 'Share links ended',
  'share password failed': 'Wrong password for a share link',
  'share links mailed': 'Share links mailed to guests',
  'recap mail to guests changed': 'Recaps by mail to guests changed',
  'guest unsubscribed': 'Guest unsubscribed from recaps',
  'vocabulary changed': 'Vocabulary changed',
  'notification added': 'Notification added',
  'notification changed': 'Notification changed',
  'notification removed': 'Notification removed',
  'calendar added': 'Calendar added',
  'calendar changed': 'Calendar changed',
  'test mail sent': 'Test mail sent',
  'mail sent again': 'Mail sent again',
  'mail choice changed': 'Choice of mail changed',
  'digest feed created': 'Digest feed created',
  'digest feed removed': 'Digest feed removed',
  'calendar removed': 'Calendar removed',
  'calendar account connected': 'Calendar account connected',
  'calendar account removed': 'Calendar account removed',
  'calendar application changed': 'Calendar application changed',
  'calendar application removed': 'Calendar application removed',
  'connection added': 'Connection added',
  'connection changed': 'Connection changed',
  'connection removed': 'Connection removed',
  'provisioning turned on': 'Provisioning turned on',
  'provisioning turned off': 'Provisioning turned off',
  'provisioning changed': 'Provisioning changed',
  'provisioning token created': 'Provisioning token created',
  'provisioning token revoked': 'Provisioning token revoked',
  'provisioned user changed': 'Provisioned person changed',
  'group created': 'Group created',
  'group changed': 'Group changed',
  'group removed': 'Group removed',
  'group role changed': 'Role of a group changed',
}

/** Actors that are neither a user nor a token. */
const OTHER_ACTOR_LABELS: Readonly<Record<string, string>> = {
  'command line': 'Command line',
  upkeep: 'Maintenance',
  nobody: 'Not signed in',
  'sign-in provider': 'Sign-in provider',
  provisioning: 'Provisioning',
}

const OTHER_ACTORS = toOptions(OTHER_ACTOR_LABELS)

/** The name of an actor or object, or its id if it has no name. */
function auditActorLabel(actor: string, name: string | null): string {
  return name ?? OTHER_ACTOR_LABELS[actor] ?? actor
}

/** The action of an entry. A newer node may write actions that this page does not know. */
function auditActionLabel(action: string): string {
  return Object.entries(AUDIT_ACTION_LABELS).find(([name]) => name === action)?.[1] ?? action
}
