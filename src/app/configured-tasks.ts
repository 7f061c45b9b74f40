import type { Config } from '../config/config.ts'
import { toPromptModelSettings } from '../config/model-settings.ts'
import type { JobEngine } from '../jobs/jobs.ts'
import type { Shutdown } from '../lib/async/shutdown.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'
import { openTasksArea, type TasksArea } from '../tasks/area.ts'
import type { Areas } from './areas.ts'

type Parts = {
  config: Config
  log: Log
  storage: MigratedStorage
  jobs: JobEngine
  areas: Pick<Areas, 'membership' | 'projects' | 'meetings' | 'projectAccess' | 'documentStorage'>
  clock: Clock
  shutdown: Shutdown
}

/** Opens the tasks area with the values of the settings. */
export function openTasksAreaFromConfig(parts: Parts): Promise<TasksArea> {
  const { config, log, storage, jobs, areas, clock } = parts
  const { membership, projects, meetings, projectAccess } = areas
  return openTasksArea({
    db: storage.database.db,
    log,
    membership,
    jobs,
    ...areas.documentStorage,
    projects,
    meetings,
    registerProject: projectAccess.registerProject,
    models: toPromptModelSettings(config),
    pricesFile: config.aiPricesFile,
    toolServersFile: config.aiMcpFile,
    budget: { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd },
    rules: {
      concurrency: config.tasksConcurrency,
      catchUp: config.tasksCatchUp,
      spreadSeconds: config.tasksSpreadSeconds,
      minIntervalMinutes: config.tasksMinIntervalMinutes,
    },
    clock,
    shutdown: parts.shutdown,
  })
}
