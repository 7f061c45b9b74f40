import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { WireExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { ModelHelp } from '../model-needed.tsx'
import { chooseFailureHint, isModelMissing } from './failure-hints.ts'

interface RunFailureNoticeProps {
  execution: WireExecutionWithSummary
  /** True if the prompt still has no language model. One may have been set up since the run. */
  needsModel: boolean
}

/** Says why a run did not complete, and what the user can do. */
export function RunFailureNotice({ execution, needsModel }: RunFailureNoticeProps) {
  const { status, cancelled = false, resultSummary } = execution
  if (status === 'running' || status === 'completed') return null
  if (isModelMissing(execution)) return <ModelMissing needsModel={needsModel} />
  return (
    <Notice
      isError={status === 'failed' && !cancelled}
      title={
        cancelled ? 'This run was canceled.' : (resultSummary ?? 'The run ended without a reason.')
      }
    >
      {chooseFailureHint(execution)}
    </Notice>
  )
}

function ModelMissing({ needsModel }: { needsModel: boolean }) {
  return needsModel ? (
    <Notice isError title="This task needs a language model, and none is set up for it.">
      <ModelHelp />
    </Notice>
  ) : (
    <Notice isError title="This task needs a language model, and none was set up for it.">
      There is one now. Run it again.
    </Notice>
  )
}

interface NoticeProps {
  isError: boolean
  title: string
  children: ReactNode
}

function Notice({ isError, title, children }: NoticeProps) {
  return (
    <div className={isError ? 'notice notice-error' : 'notice'} role="note">
      <Stack gap={4}>
        <Text fw={650} className="break-anywhere" dir="auto">
          {title}
        </Text>
        <Text size="sm">{children}</Text>
      </Stack>
    </div>
  )
}
