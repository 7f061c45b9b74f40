import { List, Stack, Text } from '@mantine/core'
import { toApiError, type ApiError, type FieldError } from '../../api/api-error.ts'

const NO_FIELDS: string[] = []

interface ErrorBoxProps {
  error: unknown
  /** Fields that show their own error, which the box does not repeat. */
  fieldsWithOwnError?: string[]
}

/** Does not use Mantine's Alert, whose title is its accessible name and would also match the labels of fields. */
export function ErrorBox({ error, fieldsWithOwnError = NO_FIELDS }: ErrorBoxProps) {
  const problem = toApiError(error)
  const remaining = problem.details.filter(({ path }) => !fieldsWithOwnError.includes(path))
  return (
    <div role="alert" tabIndex={-1} className="error-box">
      <Stack gap={6}>
        <Text fw={650} c="var(--mantine-color-error)" className="break-anywhere">
          {problem.message}
        </Text>
        <Details problems={remaining} />
        {problem.hint && <Text size="sm">{problem.hint}</Text>}
        {problem.retryAfterSeconds && (
          <Text size="sm">Try again in {formatWait(problem.retryAfterSeconds)}.</Text>
        )}
        {problem.code !== '' && (
          <Text size="xs" c="dimmed" className="break-anywhere">
            {errorReference(problem)}
          </Text>
        )}
      </Stack>
    </div>
  )
}

function Details({ problems }: { problems: FieldError[] }) {
  if (problems.length === 0) return null
  return (
    <List size="sm">
      {problems.map(({ path, message }) => (
        <List.Item key={`${path} ${message}`}>{path ? `${path}: ${message}` : message}</List.Item>
      ))}
    </List>
  )
}

function errorReference({ code, requestId }: ApiError): string {
  return requestId ? `Code ${code} · request ${requestId}` : `Code ${code}`
}

function formatWait(seconds: number): string {
  if (seconds < 90) return `${seconds} second${seconds === 1 ? '' : 's'}`
  return `${Math.ceil(seconds / 60)} minutes`
}
