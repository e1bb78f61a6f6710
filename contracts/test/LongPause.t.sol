// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {BoostTest} from "./BoostTest.t.sol";
import {PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

contract LongPauseTest is BoostTest {
    function refund(address payer, PlainToken token) internal {
        vm.prank(payer);
        boost.refundAfterLongPause(address(token));
    }

    function expectNoLongPause(address payer) internal {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoLongPause.selector, address(coin), payer));
    }

    function test_afterSevenDaysOfAPauseAPayerIsRefunded() external {
        pay(ALICE, coin);
        pay(BOB, coin);
        vm.warp(START + 21_600);
        pause();
        vm.warp(START + 21_600 + 604_800);
        vm.expectEmit(address(boost));
        emit TokenBoost.BoostRemoved(address(coin), BOB);
        refund(BOB, coin);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 18_750_000);
        vm.assertEq(boost.refundOf(BOB, address(usdc)), 25_000_000);
        vm.assertEq(boost.earnedFees(address(usdc)), 6_250_000);
        vm.assertEq(boost.boostExpiration(address(coin)), 0);
        claim(BOB);
        vm.assertEq(usdc.balanceOf(BOB), 10_000_000_000);
    }

    function test_severalPausesAddUp() external {
        pay(ALICE, coin);
        uint256 time = START;
        for (uint256 i = 0; i < 7; ++i) {
            pause();
            time += 86_400;
            vm.warp(time);
            unpause();
        }
        refund(ALICE, coin);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 25_000_000);
    }

    function test_pausesBeforeAPaymentDoNotCount() external {
        pause();
        vm.warp(START + 604_800);
        unpause();
        pay(ALICE, coin);
        expectNoLongPause(ALICE);
        refund(ALICE, coin);
    }

    function test_theFirstUnfinishedPaymentCounts() external {
        pay(BOB, coin);
        pay(ALICE, coin);
        pause();
        vm.warp(START + 604_800);
        unpause();
        pay(ALICE, coin);
        refund(ALICE, coin);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 50_000_000);
        vm.assertEq(boost.refundOf(BOB, address(usdc)), 25_000_000);
    }

    function test_revertsBeforeSevenDays() external {
        test_revertsBeforeSevenDays(604_799);
    }

    function test_revertsBeforeSevenDays(uint256 later) public {
        later = between(later, 0, 604_799);
        pay(ALICE, coin);
        pause();
        vm.warp(START + later);
        expectNoLongPause(ALICE);
        refund(ALICE, coin);
    }

    function test_revertsForWhoDidNotPay() external {
        pay(ALICE, coin);
        pause();
        vm.warp(START + 604_800);
        expectNoLongPause(BOB);
        refund(BOB, coin);
    }

    function test_revertsForAnotherTokensPayer() external {
        pay(ALICE, coin);
        pay(BOB, other);
        pause();
        vm.warp(START + 604_800);
        expectNoLongPause(BOB);
        refund(BOB, coin);
    }

    function test_revertsWhenAllOfThePayersTimeHasPassed() external {
        pay(ALICE, coin);
        pay(BOB, coin);
        pause();
        vm.warp(START + 604_800);
        unpause();
        vm.warp(START + 604_800 + 86_400);
        expectNoLongPause(ALICE);
        refund(ALICE, coin);
        refund(BOB, coin);
        vm.assertEq(boost.refundOf(BOB, address(usdc)), 25_000_000);
        vm.assertEq(boost.earnedFees(address(usdc)), 25_000_000);
    }
}
