import type { TaskFigures } from '../../tasks/figures.ts'
import { DOORS } from '../doors.ts'
import { TaskFiguresAnswer, TaskFiguresQuery } from '../shapes/tasks.ts'
import type { App } from '../type-provider.ts'

type Parts = { figures(names: readonly string[]): Promise<TaskFigures[]> }

/** For the small charts of a list. Not below /tasks: a task may have any name. */
export function taskFigureRoutes(app: App, { figures }: Parts): void {
  const { prefix, read } = DOORS.people
  app.get(
    `${prefix}/task-figures`,
    {
      config: read,
      schema: { querystring: TaskFiguresQuery, response: { 200: TaskFiguresAnswer } },
    },
    async (request) => ({ figures: await figures(request.query.of) }),
  )
}
