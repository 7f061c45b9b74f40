import type { Config } from '../config/config.ts'
import { INSTALLATION_FOLDER, PROCESS_ENV_AND_HOME } from '../config/load-config.ts'
import type { Log } from '../log.ts'
import { openSpeechArea, type SpeechArea } from '../speech/area.ts'
import type { FetchPackage } from '../speech/install/npm-pack.ts'
import { readSpeechSettings } from '../speech/settings.ts'

/** Opens speech recognition with the settings. Nothing is downloaded or started before it is needed. */
export function openSpeechAreaFromConfig(
  config: Config,
  log: Log,
  fetchPackage?: FetchPackage,
): SpeechArea {
  return openSpeechArea({
    // A node without bots recognizes no speech and need not have the key.
    settings: readSpeechSettings(
      config.roles.includes('bots') ? config : { ...config, speechApiKeyFile: undefined },
    ),
    npm: { env: PROCESS_ENV_AND_HOME.env, installationFolder: INSTALLATION_FOLDER },
    log,
    fetchPackage,
  })
}
