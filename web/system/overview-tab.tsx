import { Anchor, SimpleGrid, Stack } from '@mantine/core'
import type { WireStorage, WireVersions } from '../../src/http/shapes/system.ts'

import { formatBytes } from '../ui/format/format-bytes.ts'
import { InfoCard } from '../ui/layout/info-card.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { BackupCard } from './backup-card.tsx'
import { AutomaticSystemChecks } from './automatic-system-checks.tsx'
import { Nodes } from './nodes.tsx'
import { SpeechCard } from './speech-card.tsx'
import { useNodes, useStorageUsage, useVersions } from './queries.ts'

/** Health of the installation. Each part loads separately, so that a slow one does not delay the others. */
export function OverviewTab() {
  const storage = useStorageUsage()
  const versions = useVersions()
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

const PLACE_LABELS: Record<WireStorage['documentPlace'], string> = {
  folder: 'in the data folder',
  database: 'in the database',
}

function Storage({ storage }: { storage: WireStorage }) {
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

const ISOLATION_LABELS: Record<NonNullable<WireVersions['browserIsolation']>, string> = {
  sandbox: 'On',
  account: 'Off, but the browser does not run as root',
  none: 'Off, and the browser runs as root',
}

function Versions({ versions, hasBots }: { versions: WireVersions; hasBots: boolean }) {
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
