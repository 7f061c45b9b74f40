import { Text } from '@mantine/core'
import type { WireStorage } from '../../src/http/shapes/system.ts'
import { CopyField } from '../ui/copy/copy-field.tsx'
import { InfoCard } from '../ui/layout/info-card.tsx'
import { Time, useNow } from '../ui/format/time.tsx'

const OLD_MS = 7 * 86_400_000

/** Backups are made on the machine: the page knows only of those. */
export function BackupCard({ lastBackup }: Pick<WireStorage, 'lastBackup'>) {
  const isOld = useNow() - Date.parse(lastBackup?.at ?? '1970-01-01') > OLD_MS
  return (
    <InfoCard title="Backups" facts={[]}>
      <Text className={isOld ? 'why-box break-anywhere' : 'break-anywhere'}>
        {lastBackup === null ? (
          'No backup was made yet.'
        ) : (
          <>
            The newest was made <Time at={lastBackup.at} show="distance" />
            {lastBackup.file !== null && (
              <>
                : <code>{lastBackup.file}</code>
              </>
            )}
          </>
        )}
      </Text>
      <CopyField
        label="Make one"
        description="In the folder of the installation, also while the service runs: database and documents in one file."
        value="node bin/hansard.mjs backup"
        what="the command"
      />
    </InfoCard>
  )
}
