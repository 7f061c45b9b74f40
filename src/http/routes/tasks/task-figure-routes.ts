import type { RecentExecutions } from '../../../tasks/recent-executions.ts'
import { MEETING_SURFACES } from '../../pipeline/access/api-surfaces.ts'
import { TaskFiguresResponse, TaskFiguresQuery } from '../../shapes/tasks.ts'
import type { FastifyApp } from '../../fastify-app.ts'

type Parts = { figures(names: readonly string[]): Promise<RecentExecutions[]> }

/** Recent executions for the charts of the task list. Not below /tasks, where any word can be a task name. */
export function taskFigureRoutes(app: FastifyApp, { figures }: Parts): void {
  const { prefix, read } = MEETING_SURFACES.consoleApi
  app.get(
    `${prefix}/task-figures`,
    {
      config: read,
      schema: { querystring: TaskFiguresQuery, response: { 200: TaskFiguresResponse } },
    },
    async (request) => ({ figures: await figures(request.query.of) }),
  )
}
