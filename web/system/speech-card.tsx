import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiSpeechStatus } from '../../src/http/shapes/system.ts'
import { useApi } from '../api/app-state.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { ErrorBox, QueryView } from '../ui/feedback/feedback.tsx'
import { formatBytes } from '../ui/format/format-text.ts'
import { useAction } from '../ui/forms/form.tsx'
import { InfoCard } from '../ui/layout/description-list.tsx'
import { useRefreshSystemQuery, useSpeechStatus } from './queries.ts'

const RUNTIME_LABELS: Record<NonNullable<ApiSpeechStatus['runtime']>, string> = {
  native: 'Native program',
  webassembly: 'WebAssembly',
}
const STATE_LABELS: Record<ApiSpeechStatus['state'], string> = {
  installed: 'Installed',
  absent: 'Not installed',
  outdated: 'Installed by another version of Hansard',
  damaged: 'Damaged',
}
const INSTALL_LABELS: Record<ApiSpeechStatus['state'], string> = {
  installed: 'Check and repair',
  absent: 'Install',
  outdated: 'Install again',
  damaged: 'Install again',
}

/** Shows whether bots can recognize speech, and installs what is missing. */
export function SpeechCard() {
  return (
    <QueryView query={useSpeechStatus()} label="speech recognition">
      {(status) => <Speech status={status} />}
    </QueryView>
  )
}

function Speech({ status }: { status: ApiSpeechStatus }) {
  const { isOn, state, runtime, sizeBytes, endpointUrl, problem } = status
  const isInstalled = state === 'installed'
  return (
    <InfoCard
      title="Speech recognition"
      facts={[
        ['Status', isOn ? STATE_LABELS[state] : 'Turned off (HANSARD_SPEECH=off)'],
        ['English', isInstalled ? 'On this machine' : describeEnglish(endpointUrl)],
        [
          'Other languages',
          endpointUrl === null ? 'Not available' : <code key="url">{endpointUrl}</code>,
        ],
        [
          'Runs as',
          runtime === null ? '–' : `${RUNTIME_LABELS[runtime]}, ${formatBytes(sizeBytes)}`,
        ],
      ]}
    >
      {problem !== null && <Text className="notice break-anywhere">{problem}</Text>}
      <Text size="sm">
        Bots can recognize speech where a meeting has no captions. Sound is never written to disk,
        and never leaves this machine except to the configured endpoint.
      </Text>
      {isOn && <SpeechActions status={status} />}
    </InfoCard>
  )
}

function describeEnglish(endpointUrl: string | null): string {
  return endpointUrl === null ? 'Not available' : 'By the endpoint'
}

function SpeechActions({ status: { state, installation } }: { status: ApiSpeechStatus }) {
  const api = useApi()
  const refresh = useRefreshSystemQuery('speech')
  const [isRemoving, setRemoving] = useState(false)
  const install = useAction(async () => {
    await api.system.speechInstall()
    await refresh()
  })
  const isRunning = installation.phase === 'running'
  return (
    <>
      <Group gap="md">
        <Button
          variant={state === 'installed' ? 'default' : 'filled'}
          loading={install.isRunning || isRunning}
          onClick={() => void install.run()}
        >
          {INSTALL_LABELS[state]}
        </Button>
        {state === 'installed' && !isRunning && (
          <Button variant="default" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )}
        <Text role="status" size="sm" className="break-anywhere" flex="1 1 200px">
          {describeInstallation(installation)}
        </Text>
      </Group>
      {install.error !== null && <ErrorBox error={install.error} />}
      {isRemoving && (
        <ConfirmDialog
          title="Remove speech recognition?"
          confirmLabel="Remove"
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.system.speechRemove()
            await refresh()
          }}
        >
          Bots then recognize no speech on this machine until it is installed again.
        </ConfirmDialog>
      )}
    </>
  )
}

function describeInstallation({ phase, detail, fix }: ApiSpeechStatus['installation']): string {
  if (phase === 'running') return `${detail ?? 'Starting'} …`
  if (phase === 'failed') return [`Failed: ${detail ?? ''}`, fix].filter(Boolean).join('. ')
  return phase === 'done' ? 'Installed and tested.' : ''
}
