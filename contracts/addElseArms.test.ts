import { expect, test } from 'vitest'
import { addElseArms } from './addElseArms.ts'

const wrap = (body: string) =>
  `pragma solidity 0.8.37; contract TokenBoost { function f(uint a) public returns (uint) { ${body} } }`

test('an if without an else gets one, each arm on its own line', () => {
  const { source, arms } = addElseArms(wrap('if (a > 1) return 2; if (a > 2) { a = 3; } return a;'))
  expect(arms).toBe(2)
  expect(source).toBe(
    wrap('if (a > 1) \nreturn 2;\nelse {\n  assert(true);\n} if (a > 2) \n{ a = 3; }\nelse {\n  assert(true);\n} return a;'),
  )
})

test('a branch that coverage would not see is refused', () => {
  expect(() => addElseArms(wrap('return a > 1 ? 2 : 3;'))).toThrow('coverage does not see a ? b : c')
})
