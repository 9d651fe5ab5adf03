import { quality } from '@dubplate/contract'
import { SPECTRUM_BANDS } from '@dubplate/contract/spectrum'
import { useEffect, useMemo, useRef } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { useScheme } from '../ui/scheme.ts'
import css from './Quality.module.css'
import type { SealProps } from './SealBadge.tsx'
import { frequencyTicks, hasCutoff, spectrumPixels, timeTicks } from './spectrumPicture.ts'
import * as texts from './texts.ts'

type Props = Pick<SealProps, 'target' | 'name' | 'audience'>

/** The spectrogram of a file; visitors are asked to sign in. */
export function Spectrum({ target, name, audience }: Props) {
  const isSignedIn = useSession(({ token }) => token !== null)
  const { data, error, refetch } = useSpectrum(target, audience, isSignedIn)
  if (!isSignedIn) return <p className={css.hint}>{texts.signInForSpectrum}</p>
  if (error) return <InlineError error={error} title={texts.couldntLoadSpectrum} retry={() => void refetch()} />
  if (!data) return <i className={css.skeleton} role="status" aria-busy aria-label={texts.loadingSpectrum} />
  if (!data.spectrum) {
    return (
      <p className={css.empty}>
        <b>{texts.noSpectrum}</b>
        {audience === 'staff' && 'song_version_id' in target ? texts.noSpectrumStaffHint : texts.noSpectrumHint}
      </p>
    )
  }
  return <SpectrumPicture spectrum={data.spectrum} name={name} />
}

function useSpectrum(target: Props['target'], audience: Props['audience'], isSignedIn: boolean) {
  const song_version_id = 'song_version_id' in target ? target.song_version_id : 0
  const upload_id = 'upload_id' in target ? target.upload_id : 0
  const isStaff = audience === 'staff'
  const isVersion = isSignedIn && song_version_id > 0
  const ofVersion = useApiQuery(quality.getSpectrum, { song_version_id }, { enabled: isVersion && !isStaff })
  const ofAnyVersion = useApiQuery(quality.getStaffSpectrum, { song_version_id }, { enabled: isVersion && isStaff })
  const ofUpload = useApiQuery(quality.getOwnSpectrum, { upload_id }, { enabled: isSignedIn && upload_id > 0 })
  if (upload_id > 0) return ofUpload
  return isStaff ? ofAnyVersion : ofVersion
}

const toKhz = (hz: number) => (hz / 1000).toFixed(1)
const percent = (share: number) => `${(100 * share).toFixed(2)}%`

function SpectrumPicture({ spectrum, name }: { spectrum: quality.Spectrum; name: string }) {
  const { top_hz, duration_seconds, highest_hz } = spectrum
  const canvas = useRef<HTMLCanvasElement>(null)
  const scheme = useScheme((state) => state.scheme)
  const levels = useMemo(
    () => Uint8Array.from(atob(spectrum.levels), (character) => character.charCodeAt(0)),
    [spectrum.levels],
  )
  const columns = levels.length / SPECTRUM_BANDS
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    context?.putImageData(new ImageData(spectrumPixels(levels, scheme), columns), 0, 0)
  }, [levels, columns, scheme])
  const content = highest_hz === null ? texts.noContent : format(texts.contentUpTo, { khz: toKhz(highest_hz) })
  return (
    <>
      <div className={css.spectrum}>
        <div className={css.levels} aria-hidden>
          {frequencyTicks(top_hz).map((hz) => (
            <span key={hz} className={`${css.level} num`} style={{ bottom: percent(hz / top_hz) }}>
              {format(texts.khz, { khz: hz / 1000 })}
            </span>
          ))}
        </div>
        <div className={css.picture} role="img" aria-label={format(texts.spectrumOf, { name, content })}>
          <canvas ref={canvas} width={columns} height={SPECTRUM_BANDS} />
          {highest_hz !== null && hasCutoff(spectrum) && (
            <div className={css.cutoff} style={{ bottom: percent(highest_hz / top_hz) }}>
              <span className={`${css.cutoffLabel} num`}>{format(texts.khz, { khz: toKhz(highest_hz) })}</span>
            </div>
          )}
        </div>
        <div className={css.times} aria-hidden>
          {timeTicks(duration_seconds).map((seconds) => (
            <span key={seconds} className={`${css.tick} num`} style={{ left: percent(seconds / duration_seconds) }}>
              {formatDuration(seconds)}
            </span>
          ))}
        </div>
      </div>
      <p className={css.hint}>{content}</p>
    </>
  )
}
