import { Box, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditListQuery } from '../../client/index.js'
import type { ApiAuditEntry } from '../../src/http/shapes/audit.ts'
import { AUDIT_ACTIONS } from '../../src/http/shapes/values.ts'
import { useApiTokens } from '../account/queries.ts'
import { useApi } from '../api/app-state.tsx'
import { CURSOR_PAGES } from '../api/queries.ts'
import {
  AUDIT_ACTION_LABELS,
  auditActionLabel,
  auditActorLabel,
  OTHER_ACTORS,
} from './audit-labels.ts'
import { usePeople } from './queries.ts'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { useDebouncedUrlField } from '../ui/forms/use-debounced-field.ts'
import { FilterRow } from '../ui/layout/filter-row.tsx'
import { SectionHeader } from '../ui/layout/headings.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { LoadMoreButton } from '../ui/tables/pages.tsx'

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
  return (
    <Text size="sm" c="dimmed" className="break-anywhere">
      {children}
    </Text>
  )
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
  const any = { value: '', label: 'Any' }
  return (
    <FilterRow filter={filter}>
      <NativeSelect
        label="Who"
        value={filter.actor ?? ''}
        onChange={(event) => set({ actor: event.currentTarget.value })}
        data={[any, ...people, ...tokens, ...OTHER_ACTORS]}
      />
      <NativeSelect
        label="Action"
        value={filter.action ?? ''}
        onChange={(event) => set({ action: event.currentTarget.value })}
        data={[
          any,
          ...AUDIT_ACTIONS.map((value) => ({ value, label: AUDIT_ACTION_LABELS[value] })),
        ]}
      />
      <TextInput
        label="Item ID"
        className="filter-wide"
        value={object}
        onChange={(event) => setObject(event.currentTarget.value)}
      />
      <div className="filter-pair">
        <DayField label="From" onDay={(day) => set({ from: toInstant(day, 0) })} />
        <DayField label="To" onDay={(day) => set({ to: toInstant(day, 1) })} />
      </div>
    </FilterRow>
  )
}

function DayField({ label, onDay }: { label: string; onDay: (day: string) => void }) {
  return (
    <TextInput type="date" label={label} onChange={(event) => onDay(event.currentTarget.value)} />
  )
}

/** Midnight of a day, plus some days, in the browser's time zone. An unfinished date sets no limit. */
function toInstant(day: string, daysLater: number): string | undefined {
  const date = new Date(`${day}T00:00:00`)
  if (Number.isNaN(date.getTime())) return undefined
  date.setDate(date.getDate() + daysLater)
  return date.toISOString()
}

type AuditFilter = {
  actor?: string | undefined
  action?: string | undefined
  object?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

function useAudit(filter: AuditFilter) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['system', 'audit', filter],
    queryFn: ({ pageParam }) => api.audit.list({ ...filter, cursor: pageParam } as AuditListQuery),
    ...CURSOR_PAGES,
    placeholderData: keepPreviousData,
  })
}

function auditExportPath(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value)
  return `/web/audit/export?${query}`
}
