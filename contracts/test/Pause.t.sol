// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {BoostTest} from "./BoostTest.t.sol";
import {vm} from "./Vm.t.sol";

contract PauseTest is BoostTest {
    function test_noBoostRunsDownInAPause() external {
        test_noBoostRunsDownInAPause(21_600, 1_000_000);
    }

    function test_noBoostRunsDownInAPause(uint256 before, uint256 length) public {
        before = between(before, 0, 86_399);
        length = between(length, 0, 1_000_000_000);
        pay(ALICE, coin);
        vm.warp(START + before);
        pause();
        vm.assertTrue(boost.paused());
        vm.warp(START + before + length);
        vm.assertTrue(isBoosted(coin));
        vm.assertEq(boost.remainingTime(address(coin)), 86_400 - before);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_400 + length);
        vm.assertEq(boost.pausedTime(), length);
        unpause();
        vm.assertFalse(boost.paused());
        vm.assertEq(boost.remainingTime(address(coin)), 86_400 - before);
        vm.warp(1_800_086_400 + length);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_400 + length);
        vm.assertFalse(isBoosted(coin));
    }

    function test_pausesAddUp() external {
        pay(ALICE, coin);
        pause();
        vm.warp(START + 100);
        unpause();
        vm.warp(START + 1_000);
        pause();
        vm.warp(START + 1_030);
        vm.assertEq(boost.pausedTime(), 130);
        unpause();
        vm.warp(START + 5_000);
        vm.assertEq(boost.pausedTime(), 130);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_530);
        vm.assertEq(boost.remainingTime(address(coin)), 81_530);
    }

    function test_aBoostThatEndedBeforeAPauseStaysEnded() external {
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        pause();
        vm.warp(START + 900_000);
        vm.assertFalse(isBoosted(coin));
        vm.assertTrue(boost.boostExpiration(address(coin)) <= START + 900_000);
    }

    function test_aPaymentAfterAPauseLastsItsTime() external {
        pause();
        vm.warp(START + 500);
        unpause();
        vm.expectEmit(address(boost));
        emit TokenBoost.TokenBoosted(address(coin), ALICE, 1_800_086_900);
        pay(ALICE, coin);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_900);
        vm.assertEq(boost.remainingTime(address(coin)), 86_400);
    }

    function test_termsAreAnnouncedAndCountInAPause() external {
        pause();
        vm.prank(OWNER);
        boost.announceTerms(1_000_000, 3_600);
        vm.warp(START + 172_800);
        vm.assertEq(boost.boostPrice(), 1_000_000);
    }

    function test_theOwnerGetsInAPauseWhatWasEarnedBeforeIt() external {
        pay(ALICE, coin);
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        pause();
        vm.warp(START + 1_000_000);
        withdraw(coin);
        vm.assertEq(usdc.balanceOf(OWNER), 25_000_000);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoFeesToWithdraw.selector, address(usdc)));
        withdraw(coin);
    }

    function test_theOwnerRemovesAndSweepsAndChoosesPaymentTokensInAPauseToo() external {
        pay(ALICE, coin);
        pause();
        remove(coin);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 25_000_000);
        usdc.mint(address(boost), 7);
        vm.prank(OWNER);
        boost.sweep(address(usdc));
        vm.assertEq(usdc.balanceOf(OWNER), 7);
        allow(address(other));
        vm.assertTrue(boost.isPaymentTokenAllowed(address(other)));
    }

    function test_revertsForAPauseInAPause() external {
        pause();
        vm.expectRevert(abi.encodeWithSignature("EnforcedPause()"));
        pause();
    }

    function test_revertsForAnEndWithoutAPause() external {
        vm.expectRevert(abi.encodeWithSignature("ExpectedPause()"));
        unpause();
    }

    function test_revertsForAPauseByAnybodyButTheOwner() external {
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.pause();
    }

    function test_revertsForAnEndByAnybodyButTheOwner() external {
        pause();
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.unpause();
    }
}

contract OwnershipTest is BoostTest {
    function test_aNewOwnerAccepts() external {
        vm.prank(OWNER);
        boost.transferOwnership(BOB);
        vm.assertEq(boost.owner(), OWNER);
        vm.assertEq(boost.pendingOwner(), BOB);
        vm.prank(BOB);
        boost.acceptOwnership();
        vm.assertEq(boost.owner(), BOB);
        vm.assertEq(boost.pendingOwner(), address(0));
    }

    function test_boostsGoOnWithoutAnOwner() external {
        vm.prank(OWNER);
        boost.transferOwnership(BOB);
        vm.prank(OWNER);
        boost.renounceOwnership();
        vm.assertEq(boost.owner(), address(0));
        vm.assertEq(boost.pendingOwner(), address(0));
        pay(ALICE, coin);
        vm.assertTrue(isBoosted(coin));
    }

    function test_revertsForLeavingInAPause() external {
        pause();
        vm.expectRevert(abi.encodeWithSignature("EnforcedPause()"));
        vm.prank(OWNER);
        boost.renounceOwnership();
    }

    function test_revertsForLeavingByAnybodyButTheOwner() external {
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.renounceOwnership();
    }

    function test_revertsForAcceptingByAnybodyElse() external {
        vm.prank(OWNER);
        boost.transferOwnership(BOB);
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.acceptOwnership();
    }
}
