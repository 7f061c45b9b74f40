import { useState } from 'react'
import { Stack, Text, Group, Badge, Button, SimpleGrid, Anchor } from '@mantine/core'
import type {
  ApiStorage,
  ApiVersions,
  ApiNodes,
  ApiSpeechStatus,
} from '../../src/http/shapes/system.ts'
import { AutomaticSystemChecks } from './automatic-system-checks.tsx'
import { useNodes } from './queries.ts'
import { CopyField } from '../ui/copy.tsx'
import { QueryView, ErrorBox } from '../ui/feedback/feedback.tsx'
import { formatBytes } from '../ui/format/format-text.ts'
import { Time, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { InfoCard, SectionHeader } from '../ui/layout.tsx'
import { type Column, DataTable } from '../ui/tables/data-table.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { useRequest } from '../ui/forms.tsx'
import { useApiQuery } from '../api/use-api.tsx'

/** Health of the installation. Each part loads separately, so that a slow one does not delay the others. */
export function OverviewTab() {
  const storage = useApiQuery(['system', 'storage'], (api) => api.system.storage())
  const versions = useApiQuery(['system', 'versions'], (api) => api.system.versions())
  const thisNode = useNodes().data?.nodes.find(({ isThis }) => isThis)
  const hasBots = thisNode?.roles.includes('bots') ?? true
  return (
    <Stack gap="xl">
      <AutomaticSystemChecks />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <QueryView query={storage} label="the storage">
          {(data) => <Storage storage={data} />}
        </QueryView>
        <Stack>
          {hasBots && <SpeechCard />}
          {storage.data && <BackupCard lastBackup={storage.data.lastBackup} />}
          <QueryView query={versions} label="the versions">
            {(data) => <Versions versions={data} hasBots={hasBots} />}
          </QueryView>
        </Stack>
      </SimpleGrid>
      <Nodes />
      <InfoCard
        title="Monitoring"
        facts={LINKS.map(({ name, path, about }) => [
          name,
          <>
            <Anchor href={path}>{path}</Anchor>: {about}
          </>,
        ])}
      />
    </Stack>
  )
}

const LINKS = [
  { name: 'Metrics', path: '/metrics', about: 'for Prometheus, with an API key or a session' },
  { name: 'Ready', path: '/readyz', about: 'readiness of this node, check by check' },
  { name: 'Alive', path: '/healthz', about: 'liveness of this node' },
  { name: 'API', path: '/openapi.json', about: 'OpenAPI description of all calls' },
]

const PLACE_LABELS: Record<ApiStorage['documentPlace'], string> = {
  folder: 'in the data folder',
  database: 'in the database',
}

function Storage({ storage }: { storage: ApiStorage }) {
  const { folder, database, freeDiskMb, minFreeDiskMb, meetings, documents, evidence } = storage
  const { documentPlace } = storage
  return (
    <InfoCard
      title="Storage"
      facts={[
        [
          'Free disk space',
          `${formatBytes(freeDiskMb * 1e6)}, at least ${formatBytes(minFreeDiskMb * 1e6)} required`,
        ],
        ['Data folder', <code key="folder">{folder}</code>],
        ['Database', database],
        ['Database size', formatBytes(storage.databaseBytes)],
        ['Meetings', meetings.toLocaleString('en')],
        [
          'Documents',
          `${documents.count.toLocaleString('en')}, ${formatBytes(documents.bytes)}, ${PLACE_LABELS[documentPlace]}`,
        ],
        ['Screenshots', `${evidence.count.toLocaleString('en')}, ${formatBytes(evidence.bytes)}`],
      ]}
    />
  )
}

const ISOLATION_LABELS: Record<NonNullable<ApiVersions['browserIsolation']>, string> = {
  sandbox: 'On',
  account: 'Off, but the browser does not run as root',
  none: 'Off, and the browser runs as root',
}

function Versions({ versions, hasBots }: { versions: ApiVersions; hasBots: boolean }) {
  const { service, node, postgres, browser, browserIsolation } = versions
  const noBrowser = hasBots ? 'not working, see Checks' : 'on the nodes with the role bots'
  return (
    <InfoCard
      title="Versions"
      facts={[
        ['Hansard', service],
        ['Node', node],
        ['PostgreSQL', postgres],
        ['Browser', browser ?? noBrowser],
        ['Browser sandbox', browserIsolation === null ? '–' : ISOLATION_LABELS[browserIsolation]],
      ]}
    />
  )
}

const OLD_MS = 7 * 86_400_000

/** Shows the latest backup made on the server, with the command to make one. */
function BackupCard({ lastBackup }: Pick<ApiStorage, 'lastBackup'>) {
  const isOld = useNowEvery30Seconds() - Date.parse(lastBackup?.at ?? '1970-01-01') > OLD_MS
  return (
    <InfoCard title="Backups" facts={[]}>
      <Text className={isOld ? 'notice break-anywhere' : 'break-anywhere'}>
        {lastBackup === null ? (
          'No backups yet.'
        ) : (
          <>
            Latest backup <Time at={lastBackup.at} show="ago" />
            {lastBackup.file !== null && (
              <>
                : <code>{lastBackup.file}</code>
              </>
            )}
          </>
        )}
      </Text>
      <CopyField
        label="Create a backup"
        description="Run this in the installation folder, also while Hansard is running. It saves the database and documents to one file."
        value="node bin/hansard.mjs backup"
        what="command"
      />
    </InfoCard>
  )
}

type NodeRow = ApiNodes['nodes'][number]

const COLUMNS: [Column<NodeRow>, ...Column<NodeRow>[]] = [
  {
    header: 'Node',
    cell: ({ id, isThis }) => (
      <Group gap="xs">
        <span>{id}</span>
        {isThis && <Badge variant="outline">This node</Badge>}
      </Group>
    ),
  },
  { header: 'Status', cell: ({ isAlive }) => (isAlive ? 'online' : 'offline') },
  { header: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { header: 'Last seen', cell: ({ beatAt }) => <Time at={beatAt} show="ago" /> },
  {
    header: 'Meetings',
    cell: ({ meetings, bots, roles }) =>
      roles.includes('bots') ? `${meetings} of ${bots}` : 'none',
  },
]

function Nodes() {
  const query = useNodes()
  return (
    <Stack gap="md" component="section" aria-label="Nodes">
      <SectionHeader
        title="Nodes"
        description="Hansard processes that share this database. If one stops responding, another with the same role takes over its work."
      />
      <QueryView query={query} label="the nodes">
        {({ nodes }) => (
          <DataTable
            caption="Nodes"
            rows={nodes}
            columns={COLUMNS}
            rowMenu={({ id }) => ({ rowName: id, id })}
          />
        )}
      </QueryView>
    </Stack>
  )
}

const RUNTIME_LABELS: Record<NonNullable<ApiSpeechStatus['runtime']>, string> = {
  native: 'Native program',
  webassembly: 'WebAssembly',
}
const STATE_LABELS: Record<ApiSpeechStatus['state'], string> = {
  installed: 'Installed',
  absent: 'Not installed',
  outdated: 'Installed by another version of Hansard',
  damaged: 'Damaged',
}
const INSTALL_LABELS: Record<ApiSpeechStatus['state'], string> = {
  installed: 'Check and repair',
  absent: 'Install',
  outdated: 'Install again',
  damaged: 'Install again',
}

/** The installation is not in the event stream, so the page polls it while it runs. */
const INSTALLATION_REFRESH_MS = 1_000

/** Shows whether bots can recognize speech, and installs what is missing. */
function SpeechCard() {
  const query = useApiQuery(['speech'], (api) => api.system.speech(), {
    refetchInterval: ({ state }) =>
      state.data?.installation.phase === 'running' ? INSTALLATION_REFRESH_MS : false,
  })
  return (
    <QueryView query={query} label="speech recognition">
      {(status) => <Speech status={status} />}
    </QueryView>
  )
}

function Speech({ status }: { status: ApiSpeechStatus }) {
  const { isOn, state, runtime, sizeBytes, endpointUrl, problem } = status
  const isInstalled = state === 'installed'
  return (
    <InfoCard
      title="Speech recognition"
      facts={[
        ['Status', isOn ? STATE_LABELS[state] : 'Turned off (HANSARD_SPEECH=off)'],
        ['English', isInstalled ? 'On this machine' : describeEnglish(endpointUrl)],
        [
          'Other languages',
          endpointUrl === null ? 'Not available' : <code key="url">{endpointUrl}</code>,
        ],
        [
          'Runs as',
          runtime === null ? '–' : `${RUNTIME_LABELS[runtime]}, ${formatBytes(sizeBytes)}`,
        ],
      ]}
    >
      {problem !== null && <Text className="notice break-anywhere">{problem}</Text>}
      <Text size="sm">
        Bots can recognize speech where a meeting has no captions. Sound is never written to disk,
        and never leaves this machine except to the configured endpoint.
      </Text>
      {isOn && <SpeechActions status={status} />}
    </InfoCard>
  )
}

function describeEnglish(endpointUrl: string | null): string {
  return endpointUrl === null ? 'Not available' : 'By the endpoint'
}

function SpeechActions({ status: { state, installation } }: { status: ApiSpeechStatus }) {
  const [isRemoving, setRemoving] = useState(false)
  const install = useRequest((api) => api.system.speechInstall(), ['speech'])
  const isRunning = installation.phase === 'running'
  return (
    <>
      <Group gap="md">
        <Button
          variant={state === 'installed' ? 'default' : 'filled'}
          loading={install.isRunning || isRunning}
          onClick={() => void install.run()}
        >
          {INSTALL_LABELS[state]}
        </Button>
        {state === 'installed' && !isRunning && (
          <Button variant="default" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )}
        <Text role="status" size="sm" className="break-anywhere" flex="1 1 200px">
          {describeInstallation(installation)}
        </Text>
      </Group>
      <ErrorBox error={install.error} />
      {isRemoving && (
        <ConfirmDialog
          title="Remove speech recognition?"
          confirmLabel="Remove"
          onClose={() => setRemoving(false)}
          onConfirm={(api) => api.system.speechRemove()}
          reloads={['speech']}
        >
          Bots then recognize no speech on this machine until it is installed again.
        </ConfirmDialog>
      )}
    </>
  )
}

function describeInstallation({ phase, detail, fix }: ApiSpeechStatus['installation']): string {
  if (phase === 'running') return `${detail ?? 'Starting'} …`
  if (phase === 'failed') return [`Failed: ${detail ?? ''}`, fix].filter(Boolean).join('. ')
  return phase === 'done' ? 'Installed and tested.' : ''
}
