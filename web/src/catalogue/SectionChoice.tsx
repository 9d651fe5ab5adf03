import { Link } from '@tanstack/react-router'
import { useIsSectionVisible } from '../platform/pool.ts'
import css from '../ui/Segments.module.css'
import { LIST_SECTIONS, toSectionParam } from './section.ts'
import * as texts from './texts.ts'
import { useSection } from './useSection.ts'

const NAMES = { songs: texts.songs, kuts: texts.kuts, all: texts.all }

type Props = { label: string; className?: string | undefined }

/** Songs, kuts or both; links, because each has its own URL. On a screen without a list they lead to new releases. */
export function SectionChoice({ label, className = '' }: Props) {
  const isSectionVisible = useIsSectionVisible()
  const { section: chosen, isList } = useSection()
  if (!isSectionVisible('kuts')) return null
  return (
    <nav className={`${css.segments} ${className}`} aria-label={label}>
      {LIST_SECTIONS.map((section) => (
        <Link
          key={section}
          to={isList ? '.' : '/newRelease'}
          search={(search) => ({ ...(isList && search), page: undefined, ...toSectionParam(section) })}
          resetScroll={!isList}
          activeOptions={{ exact: true }}
          aria-current={section === chosen ? 'true' : undefined}
        >
          {NAMES[section]}
        </Link>
      ))}
    </nav>
  )
}
