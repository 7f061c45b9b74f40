import { existsSync, globSync } from 'node:fs'
import { NOBODY, type OsAccount } from './os-account.ts'

/** A way to run initdb. */
export type InitdbAttempt = {
  /** The account to run it as under root; null for the account of this process. */
  account: OsAccount | null
  /** A program and its arguments that run initdb. */
  prefix: readonly string[]
  env: Readonly<Record<string, string>>
  /** Files that exist only during the attempt, by path. */
  files: Readonly<Record<string, string>>
}

const PLAIN: InitdbAttempt = { account: null, prefix: [], env: {}, files: {} }

/**
 * Ways to run initdb, in the order in which they are tried. initdb refuses an account without a name, such as a user id
 * that was only chosen for a container; the other ways give it one.
 */
export function listInitdbAttempts(
  clusterFolder: string,
  account: OsAccount | null,
): InitdbAttempt[] {
  if (account !== null) {
    return account.uid === NOBODY.uid
      ? [{ ...PLAIN, account }]
      : [
          { ...PLAIN, account },
          { ...PLAIN, account: NOBODY },
        ]
  }
  return [PLAIN, ...withNssWrapper(clusterFolder), ...inUserNamespace()]
}

const NSS_WRAPPER_FILES = '/{usr/lib,usr/lib64,usr/local/lib,lib,lib64}/{,*/}libnss_wrapper.so'

/** The library nss_wrapper, which reads account names from files of its own; null where it is not installed. */
export function findNssWrapper(): string | null {
  return globSync(NSS_WRAPPER_FILES)[0] ?? null
}

function withNssWrapper(folder: string): InitdbAttempt[] {
  const library = findNssWrapper()
  if (library === null) return []
  const passwd = `${folder}.passwd`
  const group = `${folder}.group`
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  return [
    {
      ...PLAIN,
      env: { LD_PRELOAD: library, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group },
      files: {
        [passwd]: `hansard:x:${uid}:${gid}::/:/usr/sbin/nologin\n`,
        [group]: `hansard:x:${gid}:\n`,
      },
    },
  ]
}

const UNSHARE = '/usr/bin/unshare'

/** In a user namespace this account has the number of `nobody`, while its files keep the right owner. Needs the kernel's permission. */
function inUserNamespace(): InitdbAttempt[] {
  if (!existsSync(UNSHARE)) return []
  const prefix = [UNSHARE, '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`]
  return [{ ...PLAIN, prefix }]
}
