import { ServiceError } from '../errors.ts'

/** The errors for what does not exist. What a viewer may not see answers with the same error. */
export function taskNotFoundError(name: string): ServiceError {
  return new ServiceError('task_not_found', { text: `Task not found: ${name.slice(0, 64)}` })
}

export function executionNotFoundError(id: string): ServiceError {
  return new ServiceError('execution_not_found', {
    text: `Execution not found: ${id.slice(0, 64)}`,
  })
}
