import { useState } from 'react'
import type { WireNextSecret, WireToken } from '../../../src/http/shapes/account.ts'
import { useApi } from '../../api/app-state.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { NextSecretStep } from './next-secret-step.tsx'
import { useRefreshAccount } from '../queries.ts'
import { PendingSecretStep, StartRotationStep } from './rotation-steps.tsx'
import { isSecretPending } from './rotation-state.ts'

/** Begins where the rotation stands. A new secret lives here only, and goes when the dialog closes. */
export function RotateSecretDialog({
  opened,
  onClose,
}: {
  opened: WireToken
  onClose: () => void
}) {
  const api = useApi()
  const refresh = useRefreshAccount('tokens')
  const [isPending] = useState(() => isSecretPending(opened, Date.now()))
  const [made, setMade] = useState<string | null>(null)
  const path = `/web/tokens/${encodeURIComponent(opened.id)}/next-secret`

  const make = useAction(async () => {
    setMade((await api.post<WireNextSecret>(path)).signingSecret)
    void refresh()
  })
  const finish = useAction(async (step: 'activate' | 'cancel') => {
    await (step === 'activate' ? api.post(`${path}/activate`) : api.delete(path))
    await refresh()
    onClose()
  })
  const activate = () => void finish.run('activate')
  const cancel = () => void finish.run('cancel')

  return (
    <Dialog
      size="lg"
      title={`Rotate signing secret of “${opened.name}”`}
      isSticky={made !== null}
      onClose={onClose}
    >
      {made !== null ? (
        <NextSecretStep secret={made} action={finish} onActivate={activate} onLater={onClose} />
      ) : isPending ? (
        <PendingSecretStep
          token={opened}
          action={finish}
          onActivate={activate}
          onCancel={cancel}
          onClose={onClose}
        />
      ) : (
        <StartRotationStep token={opened} action={make} onClose={onClose} />
      )}
    </Dialog>
  )
}
