// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {BoostTest} from "./BoostTest.t.sol";
import {PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

contract RemoveBoostTest is BoostTest {
    function test_removalRefundsWhatIsUnused() external {
        pay(ALICE, coin);
        pay(BOB, coin);
        vm.warp(START + 21_600);
        vm.expectEmit(address(boost));
        emit TokenBoost.RefundAdded(address(coin), ALICE, address(usdc), 18_750_000);
        vm.expectEmit(address(boost));
        emit TokenBoost.RefundAdded(address(coin), BOB, address(usdc), 25_000_000);
        vm.expectEmit(address(boost));
        emit TokenBoost.BoostRemoved(address(coin), OWNER);
        remove(coin);
        vm.assertFalse(isBoosted(coin));
        vm.assertEq(boost.boostExpiration(address(coin)), 0);
        vm.assertEq(boost.remainingTime(address(coin)), 0);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 18_750_000);
        vm.assertEq(boost.refundOf(BOB, address(usdc)), 25_000_000);
        vm.assertEq(boost.earnedFees(address(usdc)), 6_250_000);
        vm.assertEq(boost.held(address(usdc)), 50_000_000);
    }

    function test_whatIsPaidIsRefundedOrEarned(uint256 price, uint256 duration, uint256 used) external {
        price = between(price, 1, 100_000_000_000);
        duration = between(duration, 3_600, 2_592_000);
        used = between(used, 0, duration - 1);
        vm.prank(OWNER);
        boost.announceTerms(price, duration);
        vm.warp(START + 172_800);
        endow(address(usdc), ALICE, 200_000_000_000);
        pay(ALICE, coin);
        pay(ALICE, coin);
        vm.warp(START + 172_800 + used);
        remove(coin);
        uint256 refund = boost.refundOf(ALICE, address(usdc));
        vm.assertEq(refund + boost.earnedFees(address(usdc)), 2 * price);
        // The payer's part is rounded up, by less than one unit.
        vm.assertTrue((refund - price) * duration >= price * (duration - used));
        vm.assertTrue((refund - price) * duration < price * (duration - used) + duration);
    }

    function test_theOddUnitIsThePayers() external {
        vm.prank(OWNER);
        boost.announceTerms(1_000_000, 3_601);
        vm.warp(START + 172_800);
        pay(ALICE, coin);
        vm.warp(START + 172_801);
        remove(coin);
        vm.assertEq(boost.earnedFees(address(usdc)), 277);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 999_723);
    }

    function test_paymentsThatHaveEndedAreEarned() external {
        pay(ALICE, coin);
        pay(BOB, coin);
        vm.warp(START + 86_400);
        remove(coin);
        vm.assertEq(boost.earnedFees(address(usdc)), 25_000_000);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 0);
        vm.assertEq(boost.refundOf(BOB, address(usdc)), 25_000_000);
        (, uint256 settled) = boost.paymentsOf(address(coin));
        vm.assertEq(settled, 2);
    }

    function test_refundsOfSeveralRemovalsAddUp() external {
        pay(ALICE, coin);
        remove(coin);
        pay(ALICE, coin);
        pay(ALICE, other);
        vm.warp(START + 43_200);
        remove(coin);
        remove(other);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 50_000_000);
        vm.assertEq(boost.earnedFees(address(usdc)), 25_000_000);
    }

    function test_aRemovedTokenCanBeBoostedAgain() external {
        pay(ALICE, coin);
        pay(ALICE, coin);
        remove(coin);
        vm.warp(START + 10);
        pay(BOB, coin);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_410);
        vm.warp(START + 86_410);
        withdraw(coin);
        vm.assertEq(usdc.balanceOf(OWNER), 25_000_000);
    }

    function test_removalLeavesOtherTokensAlone() external {
        pay(ALICE, coin);
        pay(ALICE, other);
        remove(coin);
        vm.assertTrue(isBoosted(other));
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 25_000_000);
    }

    function test_removalInAPauseRefundsWhatIsUnused() external {
        pay(ALICE, coin);
        vm.warp(START + 43_200);
        pause();
        vm.warp(START + 900_000);
        remove(coin);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 12_500_000);
    }

    function test_aRefundIsPaidOnce() external {
        pay(ALICE, coin);
        pay(BOB, coin);
        remove(coin);
        vm.expectEmit(address(boost));
        emit TokenBoost.RefundClaimed(ALICE, address(usdc), 25_000_000);
        claim(ALICE);
        vm.assertEq(usdc.balanceOf(ALICE), 10_000_000_000);
        vm.assertEq(boost.refundOf(ALICE, address(usdc)), 0);
        vm.assertEq(boost.held(address(usdc)), 25_000_000);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoRefundToClaim.selector, ALICE, address(usdc)));
        claim(ALICE);
    }

    function test_aRefundIsPaidInAPauseAndWithoutAnOwner() external {
        pay(ALICE, coin);
        pay(BOB, other);
        remove(coin);
        remove(other);
        pause();
        claim(ALICE);
        unpause();
        vm.prank(OWNER);
        boost.renounceOwnership();
        claim(BOB);
        vm.assertEq(usdc.balanceOf(ALICE), 10_000_000_000);
        vm.assertEq(usdc.balanceOf(BOB), 10_000_000_000);
    }

    function test_revertsWithoutARefund() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoRefundToClaim.selector, BOB, address(usdc)));
        claim(BOB);
    }

    function test_revertsForATokenThatWasNeverBoosted() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NotBoosted.selector, address(coin)));
        remove(coin);
    }

    function test_revertsForABoostThatHasEnded() external {
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NotBoosted.selector, address(coin)));
        remove(coin);
    }

    function test_revertsForAnybodyButTheOwner() external {
        pay(ALICE, coin);
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.emergencyRemoveBoost(address(coin));
    }
}
