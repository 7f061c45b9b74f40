import { Counter, Gauge, type Registry } from 'prom-client'
import { OperatorError } from '../lib/operator-error.ts'
import { waitUntilSettled } from '../lib/async/await-later.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import { readMachineSize } from '../lib/machine-size.ts'
import type { Log } from '../log.ts'
import { installSpeech, removeSpeech } from './install/install-speech.ts'
import { findInstallation, type InstallationState } from './install/installation.ts'
import { createNpmFetch, type FetchPackage, type NpmSettings } from './install/npm-pack.ts'
import type { SpeechRuntime } from './packages.ts'
import { createRecognition } from './recognition.ts'
import type { SpeechSettings } from './settings.ts'

/** What is installed, and what it can do. */
export type SpeechStatus = {
  isOn: boolean
  state: InstallationState['state']
  /** Null if nothing usable is installed. */
  runtime: SpeechRuntime | null
  sizeBytes: number
  /** What is wrong with the installed files, as a sentence; null if nothing is. */
  problem: string | null
  /** The sound of other languages is sent to this address; null if it is sent nowhere. */
  endpointUrl: string | null
  installation: InstallationProgress
}

/** The installation that runs in this process, or the last one. */
export type InstallationProgress = {
  phase: 'none' | 'running' | 'done' | 'failed'
  /** The current step, or why the installation failed. */
  detail: string | null
  /** What to do after a failure. */
  fix: string | null
}

/** Disposing stops a running installation and waits until it has ended. */
export type SpeechArea = ReturnType<typeof openSpeechArea>

type Parts = {
  settings: SpeechSettings
  npm: NpmSettings
  log: Log
  /** Lets tests install from a folder. */
  fetchPackage?: FetchPackage | undefined
}

export function openSpeechArea({ settings, npm, log, fetchPackage }: Parts) {
  const { isOn, dataFolder, endpoint } = settings
  const lost = new Counter({
    name: 'hansard_speech_lost_seconds_total',
    help: 'Sound of meetings that this node should have recognized and did not',
    registers: [],
  })
  const recognition = createRecognition({
    isOn,
    onLost: (ms) => lost.inc(ms / 1_000),
    mostWorkers: chooseWorkerCount(settings.workers, readMachineSize().cores),
    endpoint,
    findInstallation: () => findInstallation(dataFolder),
    log,
  })
  const behind = new Gauge({
    name: 'hansard_speech_behind_seconds',
    help: 'How long the oldest sound on this node has waited to be recognized',
    registers: [],
    collect() {
      this.set(recognition.behindMs() / 1_000)
    },
  })
  const nothing: InstallationProgress = { phase: 'none', detail: null, fix: null }
  let progress = nothing
  let running: Promise<void> | null = null
  const closing = new AbortController()

  const install = async (onStep: (text: string) => void) => {
    try {
      await installSpeech({
        dataFolder,
        log,
        signal: closing.signal,
        fetchPackage: fetchPackage ?? createNpmFetch(npm),
        onStep(detail) {
          progress = { phase: 'running', detail, fix: null }
          onStep(detail)
        },
      })
      recognition.installationChanged()
      progress = { phase: 'done', detail: null, fix: null }
    } catch (error) {
      const fix = (error instanceof OperatorError ? error.fix : undefined) ?? null
      progress = { phase: 'failed', detail: errorMessageOf(error), fix }
      log.error({ err: error }, 'failed to install speech recognition')
      throw error
    } finally {
      running = null
    }
  }

  return {
    recognition,
    metrics: {
      register(registry: Registry) {
        registry.registerMetric(lost)
        registry.registerMetric(behind)
      },
    },
    status(): SpeechStatus {
      const found = findInstallation(dataFolder)
      const isInstalled = found.state === 'installed'
      return {
        isOn,
        state: found.state,
        runtime: isInstalled ? found.files.runtime : null,
        sizeBytes: isInstalled ? found.manifest.files.reduce((sum, { size }) => sum + size, 0) : 0,
        problem: found.state === 'damaged' ? found.problem : null,
        endpointUrl: endpoint?.url ?? null,
        installation: progress,
      }
    },
    /** Installs what this machine needs. If an installation already runs, a second call shares its outcome. */
    install(onStep: (text: string) => void = () => {}) {
      running ??= install(onStep)
      return running
    },
    remove() {
      removeSpeech(dataFolder, log)
      recognition.installationChanged()
      progress = nothing
    },
    async [Symbol.asyncDispose]() {
      closing.abort(
        new OperatorError('The installation was stopped', 'Start it again: hansard speech install'),
      )
      recognition[Symbol.dispose]()
      if (running !== null) await waitUntilSettled(running)
    },
  }
}

/** By default half the cores, but at least one. Browsers and the service keep the others. */
export function chooseWorkerCount(wanted: number | undefined, cores: number): number {
  const most = Math.max(1, Math.floor(cores / 2))
  return Math.min(wanted ?? most, most)
}
