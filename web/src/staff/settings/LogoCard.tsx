import { settings } from '@dubplate/contract'
import { type DragEvent, useRef, useState } from 'react'
import { ask } from '../../platform/api.ts'
import { upload } from '../../platform/upload.ts'
import { Logo } from '../../site/Logo.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { Complaint } from '../Complaint.tsx'
import forms from '../Forms.module.css'
import { PictureFile } from '../PictureFile.tsx'
import { isOutdated, sentenceOf } from '../refused.ts'
import { CardHead } from './SettingCard.tsx'
import css from './Settings.module.css'
import { type Everything, readNow, SAVED, take } from './saving.ts'

/** The pool's own picture: it is there as soon as it is chosen, by day and by night. */
export function LogoCard({ all }: { all: Everything }) {
  const { logo } = all.settings
  const { version } = all.groups.logo
  const field = useRef<HTMLInputElement>(null)
  /** The share that has gone out; undefined while nothing is sent. */
  const [sent, setSent] = useState<number>()
  const [complaint, setComplaint] = useState('')
  const change = async (what: () => Promise<Everything>) => {
    setComplaint('')
    setSent(0)
    try {
      await take(await what())
      void toast({ message: SAVED })
    } catch (error) {
      setComplaint(sentenceOf(error))
      if (isOutdated(error)) await readNow().catch(() => undefined)
    }
    setSent(undefined)
  }
  const send = (picture: File | undefined) => {
    if (!picture) return
    const form = new FormData()
    form.append('version', String(version))
    form.append('picture', picture)
    void change(() => upload(settings.uploadLogo, form, setSent))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    send(event.dataTransfer.files[0])
  }
  return (
    <section
      data-framed
      className={`${forms.form} ${css.card}`}
      aria-labelledby="logo-card"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <CardHead
        id="logo-card"
        title="Logo"
        what="Shown in the header, emails, browser tab and installed app."
        standing={all.groups.logo}
        isSetHere={logo.is_set_here}
        otherwise="Default"
      />
      <div className={css.logos}>
        {(['dark', 'light'] as const).map((scheme) => (
          <span key={scheme} data-mantine-color-scheme={scheme}>
            <Logo />
          </span>
        ))}
      </div>
      <p className={forms.hint}>
        JPEG, PNG, WebP, AVIF or GIF, up to 5 MB, at least 64 × 64 pixels. Transparency is kept. SVG is not accepted.
      </p>
      <Complaint of={complaint} />
      <div className={forms.actions}>
        <Button busy={sent !== undefined} onClick={() => field.current?.click()}>
          {logo.is_set_here ? 'Replace logo' : 'Upload logo'}
        </Button>
        {logo.is_set_here && (
          <Button
            disabled={sent !== undefined}
            onClick={() => void change(() => ask(settings.removeLogo, { version }))}
          >
            Reset to generated logo
          </Button>
        )}
        {sent !== undefined && sent > 0 && <progress value={sent} max={1} aria-label="Uploading logo…" />}
      </div>
      <PictureFile field={field} onChoose={send} />
    </section>
  )
}
