import { oneLine } from './one-line.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export type Attributes = Record<string, string | number | null | undefined>

const attribute = (name: string, value: string | number) =>
  ` ${name}="${oneLine(String(value)).replace(/[&<>"]/g, (character) => ENTITIES[character]!)}"`

/** An element with these attributes, without those that are null or undefined, and with these elements inside. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const text = Object.entries(attributes)
    .map(([key, value]) => (value === null || value === undefined ? '' : attribute(key, value)))
    .join('')
  return children.length === 0 ? `<${name}${text}/>` : `<${name}${text}>\n${children.join('\n')}\n</${name}>`
}

export const xmlDocument = (root: string, declaration = 'version="1.0" encoding="UTF-8"'): Buffer =>
  Buffer.from(`<?xml ${declaration}?>\n${root}\n`, 'utf8')
