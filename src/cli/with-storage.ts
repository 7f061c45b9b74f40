import type { AccountsArea } from '../accounts/area.ts'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { localHttpUrl } from '../lib/net/ip-addresses.ts'
import { createLog } from '../log.ts'
import { readRunningServiceFile } from '../storage/data-folder.ts'
import type { MigratedStorage, StorageOpenMode } from '../storage/open-storage.ts'

/** Opens the accounts area for a command, even while the service is running. */
export async function withAccountsArea<T>(
  work: (area: AccountsArea, config: Config, storage: MigratedStorage) => Promise<T>,
): Promise<T> {
  const { createAccountsArea } = await import('../accounts/area.ts')
  const { beforeUserDeactivation } = await import('../app/revocation/before-user-deactivation.ts')
  const { beforeUserRemoval } = await import('../app/revocation/before-user-removal.ts')
  const { afterTokensRevoked } = await import('../app/revocation/cancel-token-meetings.ts')
  const log = createLog('error')
  return withStorage((storage, config) => {
    const { database, secretBox, clock } = storage
    return work(
      createAccountsArea({
        db: database.db,
        clock,
        secretBox,
        log,
        beforeUserRemoval,
        beforeUserDeactivation,
        afterTokensRevoked,
        // A command must not print a link that the service would refuse. No command uses the provider or an address.
        signIn: { hasLocalSignIn: config.localSignIn, provider: null, baseUrl: () => '' },
      }),
      config,
      storage,
    )
  })
}

/** Opens the storage for a command: with `join` even while the service is running, with `own` only if it is not. */
export async function withStorage<T>(
  work: (storage: MigratedStorage, config: Config) => Promise<T>,
  mode: StorageOpenMode = 'join',
): Promise<T> {
  const config = loadConfig()
  const { openStorage } = await import('../storage/open-storage.ts')
  await using storage = await openStorage(config, createLog('error'), mode)
  return await work(storage, config)
}

/** The address of the service for links and other programs. */
export function findServiceUrl({ publicUrl, data, host, port }: Config): string {
  return publicUrl ?? (readRunningServiceFile(data)?.address || localHttpUrl(host, port))
}
