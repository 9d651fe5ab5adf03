import createPurify from 'dompurify'

/** What the server keeps of a text. */
const ALLOWED_TAGS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 's', 'a', 'ul', 'ol', 'li', 'blockquote', 'code', 'pre']
/** What other programs write their paragraphs and cells in. */
const BLOCKS = ['div', 'section', 'article', 'header', 'footer', 'main', 'center', 'tr', 'dt', 'dd']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const CELLS = ['td', 'th']
const INLINE = ['span', 'font']

const ALLOWED = {
  ALLOWED_TAGS: [...ALLOWED_TAGS, ...BLOCKS, ...HEADINGS, ...CELLS, ...INLINE],
  // A style is read for bold and italic, then taken off.
  ALLOWED_ATTR: ['href', 'start', 'style'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?![/\\]))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
}

/** Its own, apart from the one that cleans what is shown. */
const purify = createPurify(window)

/** HTML from anywhere as an editor may hold it: nothing that runs or loads, and of the looks only bold and italic. */
export function cleanFragment(html: string): DocumentFragment {
  const fragment = document.importNode(purify.sanitize(html, ALLOWED), true)
  for (const element of queryAll(fragment, '[style]')) replaceStylesWithTags(element)
  for (const cell of queryAll(fragment, CELLS)) cell.append(' ')
  for (const heading of queryAll(fragment, HEADINGS)) {
    const bold = document.createElement('b')
    bold.append(...heading.childNodes)
    heading.append(bold)
  }
  // From the innermost on, so that what holds paragraphs is known from what is one.
  for (const block of queryAll(fragment, [...BLOCKS, ...HEADINGS]).reverse()) {
    if (block.querySelector('p, ul, ol, blockquote, pre')) unwrap(block)
    else rename(block, 'p')
  }
  for (const rest of queryAll(fragment, [...CELLS, ...INLINE])) unwrap(rest)
  return fragment
}

const queryAll = (fragment: DocumentFragment, tags: string | string[]) => [
  ...fragment.querySelectorAll<HTMLElement>(String(tags)),
]

const unwrap = (element: HTMLElement) => element.replaceWith(...element.childNodes)

function rename(element: HTMLElement, tag: string) {
  const renamed = document.createElement(tag)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}

/** Documents of an office are bold and italic by their styles, and some tags are not what they are called. */
function replaceStylesWithTags(element: HTMLElement) {
  const { fontWeight, fontStyle } = element.style
  element.removeAttribute('style')
  const isBold = fontWeight === 'bold' || Number(fontWeight) >= 600
  if (element.matches('b, strong') && fontWeight && !isBold) return unwrap(element)
  if (!element.matches('span, font')) return
  if (isBold) wrapInside(element, 'b')
  if (fontStyle === 'italic') wrapInside(element, 'i')
}

function wrapInside(element: HTMLElement, tag: string) {
  const wrapper = document.createElement(tag)
  wrapper.append(...element.childNodes)
  element.append(wrapper)
}
