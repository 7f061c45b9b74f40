import type { Viewer } from '../../../access/viewer.ts'
import type { RecentTaskExecutions } from '../../../tasks/executions/recent-executions.ts'
import { MEETING_SURFACES } from '../../pipeline/access/api-surfaces.ts'
import { requireViewer } from '../../pipeline/access/request-viewer.ts'
import { RecentExecutionsResponse, RecentExecutionsQuery } from '../../shapes/tasks.ts'
import type { FastifyApp } from '../../fastify-app.ts'

type Parts = {
  figures(viewer: Viewer, names: readonly string[]): Promise<RecentTaskExecutions[]>
}

/** Recent executions for the charts of the task list. Not below /tasks, where any word can be a task name. */
export function recentTaskExecutionRoutes(app: FastifyApp, { figures }: Parts): void {
  const { prefix, read } = MEETING_SURFACES.consoleApi
  app.get(
    `${prefix}/task-figures`,
    {
      config: { ...read, subject: 'list' },
      schema: { querystring: RecentExecutionsQuery, response: { 200: RecentExecutionsResponse } },
    },
    async (request) => ({ figures: await figures(requireViewer(request), request.query.of) }),
  )
}
