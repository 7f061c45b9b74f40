import { useState } from 'react'
import type { WireNextSecret, WireToken } from '../../src/http/shapes/account.ts'
import { useApi } from '../app-state.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useAction } from '../ui/use-action.ts'
import { NextSecret } from './next-secret.tsx'
import { useRefresh } from './queries.ts'
import { PendingSecret, RotationStart } from './rotation-steps.tsx'
import { isSecretPending } from './rotation.ts'

/** Begins where the rotation stands. A new secret lives here only, and goes when the dialog closes. */
export function RotateDialog({ opened, onClose }: { opened: WireToken; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh('tokens')
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
        <NextSecret secret={made} action={finish} onActivate={activate} onLater={onClose} />
      ) : isPending ? (
        <PendingSecret
          token={opened}
          action={finish}
          onActivate={activate}
          onCancel={cancel}
          onClose={onClose}
        />
      ) : (
        <RotationStart token={opened} action={make} onClose={onClose} />
      )}
    </Dialog>
  )
}
