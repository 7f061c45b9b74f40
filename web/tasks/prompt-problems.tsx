import { List, Text } from '@mantine/core'

interface PromptProblemsProps {
  problems: ReadonlyArray<{ path: string; message: string }>
}

/** Why a prompt cannot run. */
export function PromptProblems({ problems }: PromptProblemsProps) {
  if (problems.length === 0) return null
  return (
    <div className="notice notice-error" role="note">
      <Text size="sm" fw={600}>
        This prompt cannot run:
      </Text>
      <List size="sm">
        {problems.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`} className="break-anywhere">
            {path === '' ? message : `${path}: ${message}`}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
