import type { quality } from '@dubplate/contract'
import { IconAlertTriangle, IconShieldCheck, IconShieldQuestion } from '@tabler/icons-react'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import css from './Quality.module.css'
import { type Audience, sealLabel } from './sealTexts.ts'
import * as texts from './texts.ts'

const SealDialog = lazyOnDemand(() => import('./SealDialog.tsx').then((code) => code.SealDialog))

/** The file whose spectrum is shown: of a version or, before publication, of an upload. */
type SpectrumTarget = { song_version_id: number } | { upload_id: number }

export type SealProps = {
  seal: quality.Seal
  /** The name of the version. */
  name: string
  target: SpectrumTarget
  audience: Audience
}

/** What the analysis says about the quality of a file. A click explains it and shows the spectrum. */
export function SealBadge(props: SealProps) {
  const { seal, name } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={css.badge}
        data-state={seal.state}
        aria-haspopup="dialog"
        aria-label={format(texts.badgeLabel, { name, result: sealLabel(seal) })}
        title={texts.badgeTitle}
        onClick={() => setOpen(true)}
      >
        <SealIcon state={seal.state} size={14} />
        <span className={css.label}>{sealLabel(seal)}</span>
      </button>
      {isOpen && <SealDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

const ICONS: Partial<Record<quality.SealState, typeof IconShieldCheck>> = {
  checked: IconShieldCheck,
  not_checked: IconShieldQuestion,
}

export function SealIcon({ state, size }: { state: quality.SealState; size: number }) {
  const Icon = ICONS[state] ?? IconAlertTriangle
  return <Icon size={size} className={css.icon} data-state={state} aria-hidden />
}
