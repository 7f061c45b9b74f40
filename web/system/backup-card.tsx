import { Text } from '@mantine/core'
import type { WireStorage } from '../../src/http/shapes/system.ts'
import { CopyField } from '../ui/copy/copy-field.tsx'
import { InfoCard } from '../ui/layout/info-card.tsx'
import { Time, useNowEvery30Seconds } from '../ui/format/time.tsx'

const OLD_MS = 7 * 86_400_000

/** Shows the latest backup made on the server, with the command to make one. */
export function BackupCard({ lastBackup }: Pick<WireStorage, 'lastBackup'>) {
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
