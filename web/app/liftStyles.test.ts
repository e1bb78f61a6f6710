import { expect, test } from 'vitest'
import { liftStyles } from './liftStyles.ts'

test('what an element looks like is a rule, the same for all that look alike', () => {
  const drawn = '<i style="width:28px;color:oklch(0.95 0.04 12)"></i><b style="left:0"></b><i style="left:0"></i>'
  expect(liftStyles(drawn)).toEqual({
    html: '<i data-look="0"></i><b data-look="1"></b><i data-look="1"></i>',
    css: '[data-look="0"]{width:28px;color:oklch(0.95 0.04 12)}[data-look="1"]{left:0}',
  })
})

test.each(['color:red}body{display:none', 'background:url(//evil.example)', 'x:</style><script>'])(
  '%s becomes no rule',
  (style) => {
    expect(liftStyles(`<i style="${style}"></i>`)).toEqual({ html: '<i></i>', css: '' })
  },
)
